import { Link, useLoaderData } from "@remix-run/react";
import { useState } from "react";

export function loader() {
  return {
    rows: Array.from({ length: 50 }, (_, n) => ({
      id: `row-${n}`,
      cells: ["London", "postcard", "delivered", "2026-11-23", "1"],
    })),
  };
}

/**
 * A table with as many rows, columns and links as a page of Mail Management, and buttons that React has to hydrate.
 */
export default function Rows() {
  const { rows } = useLoaderData<typeof loader>();
  const [chosen, choose] = useState("");
  return (
    <main>
      <table>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              <td>
                <button type="button" onClick={() => choose(id)}>
                  {id}
                </button>
              </td>
              {cells.map((cell) => (
                <td key={cell}>{cell}</td>
              ))}
              <td>
                <Link to={`/rows/${id}`}>Open</Link> <Link to={`/rows/${id}/cancel`}>Cancel</Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <output>{chosen}</output>
    </main>
  );
}
