-- CreateTable: what the provider's webhook said of a piece before we had booked it
CREATE TABLE "early_news" (
    "provider_id" TEXT NOT NULL,
    "send_id" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL,
    "said_at" TIMESTAMPTZ(3),
    "heard_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "early_news_pkey" PRIMARY KEY ("provider_id", "send_id", "status")
);
