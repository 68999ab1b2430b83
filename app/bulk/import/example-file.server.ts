import { withDatabase } from "~/platform/database/database.server";
import { writeCsvLine } from "~/platform/http/csv";
import { fail, type Outcome } from "~/platform/outcome";
import { listOwnPlaceholders } from "../columns";
import { listPlaceholders, loadDesign } from "../design.server";
import { NO_LIST } from "../messages";

const HEADER = [
  "First name",
  "Last name",
  "Company",
  "Address 1",
  "Address 2",
  "City",
  "State",
  "Postcode",
  "Country",
];
const PEOPLE = {
  US: [
    ["Ana", "Lopez", "", "12 Main Street", "Apt 4", "Portland", "OR", "97205", "US"],
    ["Ben", "Stone", "Blue Door Books", "300 Congress Avenue", "", "Austin", "TX", "78701", "US"],
  ],
  GB: [
    ["Ana", "Lopez", "", "12 High Street", "Flat 4", "Bristol", "", "BS1 4ST", "GB"],
    ["Ben", "Stone", "Blue Door Books", "30 Bridge Road", "", "Leeds", "", "LS1 4AP", "GB"],
  ],
};

/** Writes a CSV file of two rows for a list. Fails with `not_found`, or as the database does. */
export function writeExample(listId: string): Promise<Outcome<ReadableStream>> {
  return withDatabase(async (db) => {
    const design = await loadDesign(db, listId);
    if (!design) return fail("not_found", NO_LIST);
    const own = listOwnPlaceholders(listPlaceholders(design));
    const rows = PEOPLE[design.home].map((cells, at) => [
      ...cells,
      ...own.map((name) => `${name} ${at + 1}`),
    ]);
    return new Blob([[...HEADER, ...own], ...rows].map(writeCsvLine)).stream();
  });
}
