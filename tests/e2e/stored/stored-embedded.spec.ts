import { test } from "../fixtures";
import { signIn } from "../sign-in";
import { doStoredJob } from "./stored-job";

test("a sent request is stored, found, opened again and deleted on the embedded database", async ({
  page,
  mailroom,
}) => {
  await signIn(page);
  await doStoredJob(page, mailroom.provider);
});
