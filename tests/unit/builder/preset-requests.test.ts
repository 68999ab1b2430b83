import { expect, test } from "vitest";
import { openPreset } from "~/builder/draft/draft";
import { selectTemplate } from "~/builder/draft/presets.server";
import { buildRequest, listProblems } from "~/builder/draft/request";
import { PRESETS } from "~/catalogue/presets";
import { makeSample } from "../../support/preset-samples";

const FILE = Buffer.from("%PDF-1.7").toString("base64");

test.each(PRESETS.map((preset) => [preset.id, preset] as const))(
  "the form of %s makes the request that the catalogue specifies",
  (_, preset) => {
    const sample = makeSample(preset, FILE);
    const template = selectTemplate(preset, false);
    const draft = openPreset(template);
    Object.assign(draft.values, Object.fromEntries(sample.filled));
    if (sample.fileField) draft.values[sample.fileField] = FILE;
    expect(listProblems(draft, template)).toEqual([]);
    const { method, path, query, body } = buildRequest(draft, template);
    expect({ method, path, query: Object.entries(query).toSorted(), body: body ?? null }).toEqual({
      method: preset.method,
      path: sample.path,
      query: sample.query,
      body: sample.body,
    });
  },
);
