-- CreateTable: the shapes of the provider's answers by call
CREATE TABLE "answer_shapes" (
    "call" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "times" INTEGER NOT NULL,
    "known" BOOLEAN NOT NULL,
    "newest_id" TEXT NOT NULL,
    "newest_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "answer_shapes_pkey" PRIMARY KEY ("call", "hash")
);
