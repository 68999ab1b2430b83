import { beforeAll, expect, test } from "vitest";
import { learnShapes } from "~/responses/shapes/learn-shapes.server";
import { seedLife } from "../../../prisma/seed-life";
import { inDatabase, loadEnvironment } from "../../support/console/environment";
import { drain } from "../../support/drain";
import { setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();
beforeAll(async () => {
  await loadEnvironment({ MAILROOM_DATABASE_URL: await postgres.createDatabase() });
});

/** Stores a changed answer of a postcard with today's date. */
const plant = (id: string) =>
  inDatabase(async (db) => {
    await db.$executeRaw`
      INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, status_code, tags, search_text,
        mode, created_at)
      SELECT ${id}, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, 200, '{}', '', mode,
        now() - interval '30 seconds'
      FROM responses WHERE endpoint_preset = 'postcards.create' ORDER BY created_at DESC LIMIT 1`;
    await db.$executeRaw`
      INSERT INTO response_bodies (response_id, response_data, response_headers)
      SELECT ${id}, jsonb_set(b.response_data::jsonb, '{data,cost}', '{"amount":"1.10"}')::text, '{}'
      FROM responses r JOIN response_bodies b ON b.response_id = r.id
      WHERE r.endpoint_preset = 'postcards.create' AND r.status_code = 200 AND r.id NOT LIKE 'planted%'
      ORDER BY r.created_at DESC LIMIT 1`;
  });
const alarms = () => inDatabase((db) => db.alarm.findMany({ where: { kind: "answers_changed" } }));

test("answers that change are reported once, after the third; the seeded data reports nothing", async () => {
  const now = new Date(Date.now() - 3_600_000);
  await inDatabase((db) => seedLife(db, "http://127.0.0.1:4010/v1", async () => new Uint8Array(), now));
  expect(await drain(learnShapes)).toBeGreaterThan(20);
  expect(await alarms()).toEqual([]);
  for (const id of ["planted-1", "planted-2"]) await plant(id);
  await drain(learnShapes);
  expect(await alarms()).toEqual([]);
  await plant("planted-3");
  await drain(learnShapes);
  const [alarm, ...others] = await alarms();
  expect(alarm).toMatchObject({ subjectId: "POST postcards.create", times: 1 });
  expect(alarm?.evidence).toContain("`answer.data.cost` is object, was text");
  expect(alarm?.evidence).toMatch(/\/stored\/compare\?a=[\w-]+&b=planted-3/);
  expect(others).toEqual([]);
  await plant("planted-4");
  await drain(learnShapes);
  expect(await alarms()).toMatchObject([{ times: 1 }]);
});
