import { writeExample } from "~/bulk/import/import-list.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads an example file with two people and the columns of a list. */
export const loader = fileLoader("text/csv", "example.csv", ({ id }) => writeExample(id));
