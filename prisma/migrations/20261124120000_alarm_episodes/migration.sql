-- Evidence whose fault persists; null: all of the alarm's evidence.
ALTER TABLE "alarms" ADD COLUMN "persisting" TEXT;
