import { Form } from "@remix-run/react";
import { formatCount } from "~/platform/format-integer";
import { Field } from "~/ui/field";
import { Cell, Row, Table } from "~/ui/list/table";
import { Notice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import type { ListView } from "./load-list-page.server";

export function ColumnsForm({ list }: { list: ListView }) {
  const used = list.columns.filter(({ use }) => use !== "").length;
  const unused = list.columns.flatMap(({ name, filled }) =>
    filled === null ? [] : [`${name} (${formatCount(filled, "row")})`],
  );
  const wrong = list.unmapped.length > 0;
  return (
    <section className="border-line border-t pt-3">
      {wrong ? (
        <div className="mb-3">
          <Notice tone="warn">
            {used === 0
              ? "No column has a name that we know, so the first row may be a person. Add a row of names above it and import again, or choose the columns below."
              : `No column fits ${list.unmapped.join("; ")}. Choose one, or add it to the file and import again.`}
          </Notice>
        </div>
      ) : null}
      <details key={wrong ? "wrong" : "fine"} open={wrong ? true : undefined}>
        <summary className="cursor-pointer">
          <h2 id="bulk-columns" className="inline">
            Columns
          </h2>{" "}
          <span className="text-dim">
            {used} of {list.columns.length} used
            {unused.length > 0 ? `. Not used: ${unused.join(", ")}.` : null}
          </span>
        </summary>
        <Form method="post" preventScrollReset aria-label="Columns" className="mt-2 grid gap-3">
          <p className="text-dim">
            Columns were chosen by their names. Another choice checks all rows again and needs a new test.
          </p>
          <Table label="Columns" narrow head={["Column", "First row", "Used as"]}>
            {list.columns.map(({ name, use, fallback, takesFallback, sample }) => (
              <Row key={name}>
                <Cell>
                  <span className="[overflow-wrap:anywhere]">{name}</span>
                </Cell>
                <Cell>
                  <span className="line-clamp-1 max-w-[14rem] text-dim [overflow-wrap:anywhere]">
                    {sample}
                  </span>
                </Cell>
                <Cell>
                  <div className="grid gap-1 sm:grid-cols-2 sm:gap-2">
                    <select
                      key={use}
                      name="use"
                      defaultValue={use}
                      aria-label={`Use of ${name}`}
                      className="control min-w-32"
                    >
                      <option value="">Not used</option>
                      {list.uses.map(({ value, label }) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                    <input
                      key={`${use} ${fallback}`}
                      name="fallback"
                      defaultValue={fallback}
                      type={takesFallback ? "text" : "hidden"}
                      aria-label={`Default of ${name}`}
                      placeholder="Default where empty"
                      className="control min-w-0"
                    />
                  </div>
                </Cell>
              </Row>
            ))}
          </Table>
          <div className="flex flex-wrap items-end gap-3">
            <Field id="bulk-country" label="Country where a row has none">
              <select
                key={list.country}
                id="bulk-country"
                name="country"
                defaultValue={list.country}
                className="control"
              >
                <option value="">None: each row must name one</option>
                {list.countries.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
            <Submit intent="columns" working="Checking all rows...">
              Save columns
            </Submit>
          </div>
        </Form>
      </details>
    </section>
  );
}
