.read data/timer.sql
