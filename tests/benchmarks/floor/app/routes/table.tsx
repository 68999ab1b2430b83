import { Link, useLoaderData } from "@remix-run/react";

export function loader() {
  return {
    rows: Array.from({ length: 50 }, (_, n) => ({
      id: `row-${n}`,
      name: `Person ${n}`,
      place: "London",
      type: "postcard",
      status: "delivered",
      sent: "2026-11-23",
      credits: 1,
    })),
  };
}

/** As many rows, columns and links as a page of Mail Management has, and nothing else. */
export default function Table() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <table>
      <tbody>
        {rows.map(({ id, name, place, type, status, sent, credits }) => (
          <tr key={id}>
            <td>
              <input type="checkbox" name="item" value={id} aria-label={`Choose ${name}`} />
            </td>
            <td>
              <Link to={`/rows/${id}`}>{name}</Link> {place}
            </td>
            <td>{type}</td>
            <td>{status}</td>
            <td>
              <time dateTime={sent}>{sent}</time>
            </td>
            <td>{credits}</td>
            <td>
              <Link to={`/rows/${id}/cancel`}>Cancel</Link> <Link to={`/rows/${id}/again`}>Send again</Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
