# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# A JVM: reserved address space, signals of its own, compiled code, garbage collection.
needs='java:default-jre-headless javac:default-jdk-headless'
least=1000
job() {
	cat >Work.java <<-'JAVA'
		import java.util.*;
		import java.util.stream.*;
		public class Work {
			public static void main(String[] args) throws Exception {
				Map<String, List<Integer>> map = new HashMap<>();
				for (int i = 0; i < 300000; i++)
					map.computeIfAbsent("k" + i % 1009, k -> new ArrayList<>()).add(i);
				System.out.println(map.values().parallelStream().mapToLong(l -> l.stream().mapToLong(x -> x).sum()).sum());
				String s = null;
				try { s.length(); } catch (NullPointerException e) { System.out.println("caught"); }
				Thread[] t = new Thread[8];
				for (int i = 0; i < t.length; i++) { int n = i; (t[i] = new Thread(() -> { byte[][] b = new byte[200][];
					for (int j = 0; j < 200; j++) b[j] = new byte[10000 + n]; })).start(); }
				for (Thread x : t) x.join();
				System.exit(7);
			}
		}
	JAVA
	javac Work.java || return
	"$@" java -Xmx256m -cp . Work
}
