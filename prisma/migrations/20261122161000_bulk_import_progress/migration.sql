-- AlterTable: how far the import of a list's file is
ALTER TABLE "bulk_lists" ADD COLUMN "import_total" INTEGER,
    ADD COLUMN "import_done" INTEGER,
    ADD COLUMN "import_at" TIMESTAMPTZ(3);
