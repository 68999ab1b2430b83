-- CreateTable: lists of people who get the same design, and their rows
CREATE TABLE "bulk_lists" (
    "id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mail_type" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'draft',
    "design" TEXT NOT NULL,
    "columns" TEXT NOT NULL DEFAULT '[]',
    "mapping" TEXT NOT NULL DEFAULT '[]',
    "country" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
    "tested_version" INTEGER,
    "reservation_id" TEXT,
    "note" TEXT,
    "next_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "served_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "cancel_actor_id" TEXT,

    CONSTRAINT "bulk_lists_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "bulk_lists_state_check" CHECK ("state" IN ('draft', 'running', 'paused', 'stopped', 'finished'))
);
CREATE INDEX "bulk_lists_created_at_idx" ON "bulk_lists"("created_at");
CREATE INDEX "bulk_lists_state_idx" ON "bulk_lists"("state");

CREATE TABLE "bulk_rows" (
    "list_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "cells" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "problem" TEXT,
    "address_key" TEXT,
    "allowed" BOOLEAN NOT NULL DEFAULT false,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "send_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "tested_version" INTEGER,
    "tested_piece_id" TEXT,
    "test_problem" TEXT,
    "cancel_tried" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "bulk_rows_pkey" PRIMARY KEY ("list_id", "number"),
    CONSTRAINT "bulk_rows_state_check" CHECK ("state" IN ('ready', 'problem', 'left_out', 'sending', 'checking', 'sent', 'refused'))
);
CREATE INDEX "bulk_rows_list_id_state_number_idx" ON "bulk_rows"("list_id", "state", "number");
CREATE INDEX "bulk_rows_address_key_idx" ON "bulk_rows"("address_key");
CREATE INDEX "bulk_rows_checking_idx" ON "bulk_rows"("list_id") WHERE "state" = 'checking';
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "bulk_lists"("id") ON DELETE CASCADE ON UPDATE CASCADE;
