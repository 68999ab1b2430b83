import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCurl } from "~/builder/draft/open-curl.server";
import { CURL_CHARS, CURL_PROBLEMS, formatKeyDropped } from "~/builder/draft/parse-curl.server";
import { findChosenPreset, findPresetCall } from "~/builder/draft/presets.server";
import { buildRequest } from "~/builder/draft/request";
import { FileName } from "~/builder/forms/code/code-request";
import { writeCurl } from "~/builder/forms/code/write-code";
import { readOwnMs } from "../../support/own-time";

const US = { label: "US", url: "https://api-us1.stannp.com/v1", appendJson: false };
const KEY = "s3cret-key-0001";
const NEW = "https://api-us1.stannp.com/v1/recipients/new";

function open(command: string) {
  const outcome = openCurl(command, US);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { opened, report } = outcome.value;
  const { preset } = findChosenPreset(new URLSearchParams({ preset: opened.presetId }));
  const sends = () => buildRequest(opened.draft, findPresetCall(preset, opened.documented));
  return { ...opened, report, sends };
}

const refusal = (command: string) => {
  const outcome = openCurl(command, US);
  return outcome.ok ? null : outcome.failure;
};

describe("A pasted curl command", () => {
  test("of the provider's documentation fills the postcard's form", () => {
    const { presetId, draft, report } = open(
      `curl "https://api-us1.stannp.com/v1/postcards/create" \\
      -u ${KEY}: \\
      -d "test=true" -d "size=6x9" \\
      -d "recipient[firstname]=Siobhán" -d "recipient[lastname]=O'Connor" -d 'recipient[address1]=1 High St' \\
      -d "recipient[city]=Portland" -d "recipient[postcode]=97201" -d "recipient[country]=US" \\
      --data-urlencode 'message=Hi & bye = 1' \\
      -F ""`.replace(/-F ""/, "--compressed | jq ."),
    );
    expect(presetId).toBe("postcards.create");
    expect(draft.body).toBeNull();
    expect(draft.values).toMatchObject({
      test: "true",
      size: "6x9",
      recipient_firstname: "Siobhán",
      recipient_lastname: "O'Connor",
      recipient_city: "Portland",
      message: "Hi & bye = 1",
    });
    expect(report.keys).toEqual(["-u"]);
    expect(draft.headers).toEqual([{ name: "content-type", value: "application/x-www-form-urlencoded" }]);
  });

  test("of Postman has quoted values and files", () => {
    const { draft, report } = open(
      String.raw`curl --location 'https://api-us1.stannp.com/v1/postcards/create' \
--form 'test="1"' --form 'size="4x6"' --form 'message="He said \"hi\""' --form 'front=@"/C:/art/my \"front\".pdf"' --form-string 'tags="a"'`,
    );
    expect(draft.values).toMatchObject({ test: "true", size: "4x6", message: 'He said "hi"', tags: '"a"' });
    expect(report).toMatchObject({ wasLive: [], filesToChoose: ['my "front".pdf'] });
  });

  test("with JSON whose ids are numbers fills the form", () => {
    const { draft, report } = open(
      `curl https://api-us1.stannp.com/v1/postcards/create --json '{"test":true,"size":"4x6","template":21001,"recipient":1001}'`,
    );
    expect(draft.body).toBeNull();
    expect(draft.values).toMatchObject({ template: "21001", recipient: "1001" });
    expect(report.unfit).toEqual([]);
  });

  test.each([
    ["a comment above it", `# Adds a person.\n# Twice.\ncurl ${NEW} -d firstname=Ana`],
    ["the prompts of a terminal", `$ curl ${NEW} \\\n> -u ${KEY}: \\\n> -d firstname=Ana`],
    ["what is put before a command", `KEY=${KEY} time curl ${NEW} -u $KEY: -d firstname=Ana`],
  ])("is found after %s", (_, command) => {
    const { draft } = open(command);
    expect(draft).toMatchObject({ path: "recipients/new", values: { firstname: "Ana" } });
    expect(JSON.stringify(draft)).not.toContain(KEY);
  });

  test("that calls Mailroom is the request that Mailroom would make", () => {
    const call = { baseUrl: "https://api-eu1.stannp.com/v1", method: "POST", path: "recipients/new" };
    const more = { query: { a: "1" }, headers: { "X-Trace": "t" }, body: { firstname: "Ana", api_key: KEY } };
    const { draft, baseLabel, report, sends } = open(
      `curl 'https://mailroom.example/api/stannp' -H 'Authorization: Bearer ${KEY}' -H 'Content-Type: application/json' --data-raw '${JSON.stringify({ ...call, ...more })}'`,
    );
    expect(baseLabel).toBe("Global");
    expect(sends()).toEqual({
      method: "POST",
      path: "recipients/new",
      query: { a: "1" },
      headers: { "x-trace": "t" },
      body: { firstname: "Ana" },
    });
    expect(draft.body).toBeNull();
    expect(report).toMatchObject({ keys: ["header authorization", "api_key in the body"], otherBase: [] });
  });

  test.each([
    ["as it stands", "<<'EOF'", String.raw`"a \\ $b"`, "EOF"],
    ["as the shell fills it", "<<JSON", String.raw`"a \\\\ \$b"`, "JSON"],
  ])("reads its body from the lines below, %s", (_, start, message, end) => {
    const body = `{"path": "postcards/create", "body": {"test": true, "size": "4x6", "recipient": "1001", "message": ${message}}}`;
    const { presetId, draft } = open(
      `curl 'https://mailroom.example/api/stannp' -H 'Content-Type: application/json' --data-binary @- ${start}\n${body}\n${end}\n`,
    );
    expect(presetId).toBe("postcards.create");
    expect(draft.values).toMatchObject({ size: "4x6", recipient: "1001", message: "a \\ $b" });
    expect(draft.body).toBeNull();
  });

  test("of our own sample with a file is the call that the sample makes, and says which file to choose", () => {
    const body = { test: true, size: "4x6", recipient: "1001", front: new FileName("Ana's $5 front.png") };
    const sample = writeCurl({
      method: "POST",
      url: "https://mailroom.example/api/stannp",
      secret: { variable: "MAILROOM_TOKEN", scheme: "bearer" },
      headers: [],
      body: { kind: "json", value: { baseUrl: US.url, method: "POST", path: "postcards/create", body } },
    });
    expect(sample).toContain("<<");
    const { presetId, draft, report } = open(sample);
    expect(presetId).toBe("postcards.create");
    expect(draft.values).toMatchObject({ test: "true", size: "4x6", recipient: "1001", front: "" });
    expect(report.filesToChoose).toEqual(["Ana's $5 front.png"]);
  });

  test("with JSON that fits no form keeps it in the body", () => {
    const { draft, sends, report } = open(
      `curl -X PUT 'https://api-us1.stannp.com/v1/things/7?a=1' -H 'Content-Type: application/json' -H 'X-Trace: t' --data-raw $'{"note":"it\\'s","list":[1,2]}'`,
    );
    expect(sends()).toEqual({
      method: "PUT",
      path: "things/7",
      query: { a: "1" },
      headers: { "x-trace": "t" },
      body: { note: "it's", list: [1, 2] },
    });
    expect(draft.body).not.toBeNull();
    expect(report.headersLeftOut).toEqual([]);
  });

  test("that would be live mail opens as a test", () => {
    const { draft, report } = open(
      `curl https://api-us1.stannp.com/v1/postcards/create -d size=4x6 -d template=1 -d recipient=1001`,
    );
    expect(draft.values.test).toBe("true");
    expect(report.wasLive).toEqual(["postcard"]);
  });

  test("loses its key in any position", () => {
    const places = [
      [`-u ${KEY}:`, "-u"],
      [`-H 'Authorization: Basic ${KEY}'`, "header authorization"],
      [`-H 'X-API-Key: ${KEY}'`, "header x-api-key"],
      [`-d api_key=${KEY}`, "api_key in the body"],
      [`-F api_key=${KEY}`, "api_key in the body"],
      [`--json '{"a":{"api_key":"${KEY}"},"b":"{\\"api_key\\":\\"${KEY}\\"}"}'`, "api_key in the body"],
      [`--oauth2-bearer ${KEY}`, "--oauth2-bearer"],
      [`-G -d api_key=${KEY}`, "api_key in the query"],
      [`-b session=${KEY}`, null],
    ] as const;
    for (const [written, place] of places) {
      const { report, draft } = open(`curl https://api-us1.stannp.com/v1/account/x ${written}`);
      expect(JSON.stringify(draft), written).not.toContain(KEY);
      expect(JSON.stringify(report), written).not.toContain(KEY);
      expect(report.keys, written).toEqual(place === null ? [] : [place]);
    }
    const { report, draft } = open(
      `curl 'https://${KEY}:x@api-us1.stannp.com/v1/users/me?api_key=${KEY}&page=1'`,
    );
    expect(JSON.stringify([report, draft])).not.toContain(KEY);
    expect(formatKeyDropped(report.keys)).toContain("api_key in the query");
  });

  test("of another host uses the chosen base URL, and of the dashboard its own", () => {
    expect(open("curl https://elsewhere.example/v1/users/me").report.otherBase).toEqual([
      "elsewhere.example",
      "US",
    ]);
    const dash = open("curl https://dash.stannp.com/api/v1/recipients/list.json");
    expect(dash).toMatchObject({ baseLabel: "Dash", draft: { path: "recipients/list" } });
    expect(dash.report.otherBase).toEqual([]);
  });

  test("that cannot be read is refused with the reason", () => {
    const most = `curl https://x.example/a -d ${"a".repeat(CURL_CHARS)}`;
    expect(refusal("")?.message).toBe(CURL_PROBLEMS.empty);
    expect(refusal("wget https://x.example")?.message).toBe(CURL_PROBLEMS.notCurl);
    expect(refusal("curl 'https://x.example")?.message).toBe(CURL_PROBLEMS.quotes);
    expect(refusal('curl ^"https://x.example/^"')?.message).toBe(CURL_PROBLEMS.windows);
    expect(refusal("curl “https://x.example/a”")?.message).toBe(CURL_PROBLEMS.curlyQuotes);
    expect(refusal("curl -s")?.message).toBe(CURL_PROBLEMS.noUrl);
    expect(refusal("curl ftp://x.example/a")?.message).toBe(CURL_PROBLEMS.noUrl);
    expect(refusal(most)?.code).toBe("bad_input");
    expect(refusal("curl -I https://x.example/a")?.message).toContain("HEAD");
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    expect(refusal(`curl https://x.example/a --json '{"a":${deep}}'`)?.code).toBe("bad_input");
  });

  test("of any kind is read or refused, never an error", () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...String.raw`-d -F -H -u -G --json @ a[b][]=1 __proto__[x]=1 x=@f ' " \ $' -X -- = {`.split(" "),
      ),
      fc.constant("https://x.example/{id}?a=%zz"),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const outcome = openCurl(`curl https://x.example/v1/postcards/create ${words.join(" ")}`, US);
        if (!outcome.ok) expect(outcome.failure.code).toBe("bad_input");
        expect(({} as { x?: string }).x).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test("of the maximum size is parsed quickly", () => {
    const begun = readOwnMs();
    open(`curl https://x.example/v1/a -d 'a=${"b".repeat(CURL_CHARS - 60)}'`);
    open(`curl https://x.example/v1/a -d '${"a[]=1&".repeat(16_000)}'`);
    expect(readOwnMs() - begun).toBeLessThan(10_000);
  });
});
