.read data/hardware.sql
