import { test } from "../fixtures";
import { signIn } from "../sign-in";
import { doStoredJob } from "./stored-job";

test.use({ database: "postgres" });

test("a sent request is stored, found, opened again and deleted on PostgreSQL @once", async ({
  page,
  mailroom,
}) => {
  await signIn(page);
  await doStoredJob(page, mailroom.provider);
});
