-- City and postcode, as lists show them beside the name. Earlier recipients have none.
ALTER TABLE "mail_recipients" ADD COLUMN "place" TEXT;
