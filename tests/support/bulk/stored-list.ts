import { randomUUID } from "node:crypto";
import type { MailConsole } from "../console/mail-console";
import { ANA } from "../console/payment-console";

/** Stores a tested list of postcards to different people, made and paid for by Ana; returns its id. */
export async function storeList(
  app: MailConsole,
  rows: number,
  { testedAt = new Date(), body = {} }: { testedAt?: Date; body?: Record<string, unknown> } = {},
): Promise<string> {
  const id = randomUUID();
  await app.db(async (db) => {
    await db.bulkList.create({
      data: {
        id,
        actorId: ANA.id,
        userId: ANA.id,
        name: "spring.csv",
        mailType: "postcard",
        design: JSON.stringify({
          baseUrl: app.provider.baseUrl,
          home: "US",
          path: "postcards/create",
          presetId: "postcards.create",
          body: { size: "4x6", template: "21001", ...body },
          files: {},
        }),
        columns: '["First name","Last name","Address","City","ZIP","Country"]',
        mapping: '["firstname","lastname","address1","city","postcode","country"]',
        testedVersion: 0,
        testedAt,
      },
    });
    await db.bulkRow.createMany({
      data: Array.from({ length: rows }, (_, at) => ({
        listId: id,
        number: at + 2,
        cells: JSON.stringify(["Ana", id.slice(0, 8), `${at + 1} Main Street`, "Portland", "97205", "US"]),
        state: "ready",
      })),
    });
  });
  return id;
}
