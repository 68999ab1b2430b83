import { useLoaderData } from "@remix-run/react";
import { useState } from "react";

export function loader() {
  return { rows: Array.from({ length: 50 }, (_, n) => ({ id: n, name: `Row ${n}` })) };
}

/** A list of 50 rows; a row that is clicked is told below. */
export default function Rows() {
  const { rows } = useLoaderData<typeof loader>();
  const [chosen, choose] = useState<number | null>(null);
  return (
    <main>
      <h1>Rows</h1>
      <ul>
        {rows.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => choose(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      <output>{chosen === null ? "" : `Row ${chosen} was chosen`}</output>
    </main>
  );
}
