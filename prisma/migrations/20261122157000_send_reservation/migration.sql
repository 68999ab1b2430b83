-- Which reservation wrote the row of a send: after a failover that lost it, it may be written anew under the same id.
ALTER TABLE "sends" ADD COLUMN "reservation" TEXT;
