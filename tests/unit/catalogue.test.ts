import { describe, expect, test } from "vitest";
import { CATEGORIES } from "~/catalogue/categories";
import { findPreset, PRESETS } from "~/catalogue/presets";
import type { FormField, Preset, PresetCall } from "~/catalogue/types";

/** Every specified provider call, and whether the provider documents it, under this path or another one. */
const CONTRACT = `
documented GET recipients/list recipients/get/{id} campaigns/list campaigns/get/{id} postcards/get/{id}
  letters/get/{id} templates/list
documented POST recipients/delete/{id} campaigns/create postcards/create postcards/cancel letters/create
  letters/cancel files/upload addresses/validate
renamed GET account account/balance lists/list lists/members/{id} reports/summary
renamed POST recipients/create lists/create lists/delete/{id} lists/add_recipient/{id}
  lists/remove_recipient/{id} campaigns/send/{id} selections/create
unlisted GET account/usage account/settings account/credits account/pricing lists/get/{id} mailings/list
  mailings/get/{id} mailings/events/{id} postcards/list letters/list events/list events/get/{id} files/list
  files/get/{id} reports/campaigns/get/{id} selections/list selections/get/{id} addresses/lookup objects/list
  objects/get/{id} templates/get/{id} batches/list batches/get/{id} webhooks/list
unlisted POST recipients/update/{id} lists/update/{id} campaigns/update/{id} campaigns/cancel/{id}
  mailings/create mailings/cancel/{id} postcards/send/{id} postcards/delete/{id} letters/send/{id}
  letters/delete/{id} files/delete/{id} batches/create webhooks/create webhooks/delete/{id} test/address
`
  .trim()
  .split(/\n(?! )/)
  .flatMap((list) => {
    const [status, method, ...paths] = list.split(/\s+/);
    return paths.map((path) => [method, path, status]);
  });

const wordsOf = (text: string) => text.split(" ");

/** Documented calls for the categories that would be empty without them. */
const ADDED = [
  "GET users/me",
  "GET groups/list",
  ..."new add/{id} remove/{id} delete".split(" ").map((call) => `POST groups/${call}`),
];

const CHANGING = /(?:^|\/)(?:delete|cancel|send|update|remove|remove_recipient|approve|book)(?:\/|$)/;

/** The call of each preset, and the one that its documented switch opens. */
const ALL_CALLS: [string, PresetCall][] = PRESETS.flatMap((preset) => {
  const { documented } = preset.reference;
  const own: [string, PresetCall] = [preset.id, preset];
  return documented ? [own, [`${preset.id}, as documented`, documented]] : [own];
});

function requirePreset(id: string): Preset {
  const preset = findPreset(id);
  if (!preset) throw new Error(`no preset ${id}`);
  return preset;
}

function requireField(id: string, name: string): FormField {
  const field = requirePreset(id).fields.find((row) => row.name === name);
  if (!field) throw new Error(`${id} has no field ${name}`);
  return field;
}

const namesInPath = (path: string) => [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");

test("the categories are the specified ones in their order, each with presets", () => {
  expect(CATEGORIES.map(({ id }) => id)).toEqual(
    wordsOf(
      "authentication recipients lists campaigns mailings postcards letters groups events files reporting selections account addresses objects",
    ),
  );
  expect(new Set(CATEGORIES.map(({ label }) => label)).size).toBe(15);
  expect(new Set(PRESETS.map(({ categoryId }) => categoryId))).toEqual(
    new Set(CATEGORIES.map(({ id }) => id)),
  );
});

describe("The presets", () => {
  test("are the specified calls and those added for empty categories, no others", () => {
    const calls = PRESETS.map(({ method, path }) => `${method} ${path}`);
    const wanted = [...CONTRACT.map(([method, path]) => `${method} ${path}`), ...ADDED];
    expect(calls.toSorted()).toEqual(wanted.toSorted());
    expect(CONTRACT).toHaveLength(66);
  });

  test("know which calls the provider documents: 15 documented, 12 renamed, 39 unlisted", () => {
    const found = CONTRACT.map(([method, path]) => {
      const preset = PRESETS.find((row) => row.method === method && row.path === path);
      return [method, path, preset?.reference.status];
    });
    expect(found).toEqual(CONTRACT);
    const count = (status: string) => found.filter((row) => row[2] === status).length;
    expect([count("documented"), count("renamed"), count("unlisted")]).toEqual([15, 12, 39]);
    for (const call of ADDED) {
      const preset = PRESETS.find(({ method, path }) => `${method} ${path}` === call);
      expect(preset?.reference.status, call).toBe("documented");
    }
  });

  test("have unique ids, labels within their category, and are found by id", () => {
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
    expect(new Set(PRESETS.map(({ categoryId, label }) => `${categoryId} ${label}`)).size).toBe(
      PRESETS.length,
    );
    for (const preset of PRESETS) {
      expect(preset.id).toMatch(/^[a-z]+(?:[.-][a-z]+)*$/);
      expect(findPreset(preset.id)).toBe(preset);
    }
    expect(findPreset("nothing")).toBeNull();
    expect(findPreset("constructor")).toBeNull();
  });

  test.each(PRESETS.map((preset) => [preset.id, preset] as const))(
    "%s has an example and a link to the docs",
    (_, preset) => {
      expect(preset.exampleResponse).toMatchObject({ success: true, data: expect.anything() });
      const isPublic = preset.reference.status !== "unlisted";
      expect(preset.docsUrl !== undefined, "a reference page for public calls only").toBe(isPublic);
      if (isPublic)
        expect(preset.docsUrl).toMatch(/^https:\/\/www\.stannp\.com\/us\/direct-mail-api\/[a-z]+$/);
    },
  );
});

describe.each(ALL_CALLS)("The form of %s", (_, { method, path, query, body, fields }) => {
  test("fits its call", () => {
    expect(path).toMatch(/^[a-z]+(?:\/(?:[a-zA-Z_]+|\{[a-z_]+\}))*$/);
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
    for (const name of namesInPath(path)) {
      expect(
        fields.find((field) => field.name === name),
        name,
      ).toMatchObject({ required: true });
    }
    for (const field of fields) {
      expect((field.options?.length ?? 0) > 0, field.name).toBe(["select", "several"].includes(field.type));
      expect(field.words !== undefined, field.name).toBe(field.type === "choice");
      expect(field.accept !== undefined, field.name).toBe(field.type === "file");
      const start = query[field.name] ?? body[field.name] ?? (field.required ? field.placeholder : undefined);
      if (field.type === "select" && start !== undefined) expect(field.options).toContain(start);
      if (field.type === "number" && start !== undefined) expect(Number(start)).not.toBeNaN();
      if (field.type === "boolean") expect(field.required ?? false, field.name).toBe(false);
    }
    expect(method === "GET" ? body : query).toEqual({});
  });

  test("never starts with the id of something that it would change", () => {
    if (method === "GET") return expect(path).not.toMatch(CHANGING);
    const ids = fields.filter(({ name }) => /^id$|_id$|^recipients?$|^template$/.test(name));
    for (const field of ids) {
      expect(query[field.name] ?? body[field.name], field.name).toBeUndefined();
      if (field.required) expect(field.placeholder, field.name).toBeUndefined();
    }
    if (CHANGING.test(path)) expect(ids.find(({ name }) => name === "id")).toMatchObject({ required: true });
  });
});

describe("calls with special rules", () => {
  test("cancelling a postcard or letter posts the id as a form field", () => {
    for (const id of ["postcards.cancel", "letters.cancel"]) {
      const preset = requirePreset(id);
      expect(preset.headers).toEqual({ "content-type": "application/x-www-form-urlencoded" });
      expect(preset.fields.map(({ name }) => name)).toEqual(["id"]);
      expect(preset.path).not.toContain("{");
    }
  });

  test("every call that makes mail starts in test mode, and no documented switch can skip it", () => {
    for (const id of ["postcards.create", "letters.create", "mailings.create", "batches.create"]) {
      const preset = requirePreset(id);
      expect(preset.body?.test, id).toBe(true);
      expect(requireField(id, "test").type, id).toBe("boolean");
      expect(preset.reference.documented, id).toBeUndefined();
    }
  });
});
