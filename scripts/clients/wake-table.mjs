// The table of docs/wake-clients.md: a row for each route of each client.

const heading = ['client', 'route', 'from send to the model', 'the model is woken with', 'the hub says'];

/** `results`: the client and the rows of its rounds; none if it could not be run. */
export function wakeTable(results) {
  const lines = results.flatMap(
    ({
      client: {
        title,
        package: { version },
      },
      seen,
    }) => {
      const rows = Array.isArray(seen) ? seen : [{ route: '**all**', failed: 'could not be run' }];
      return rows.map((row) => [`${title} ${version}`, `\`${row.route}\``, ...cellsOf(row)]);
    },
  );
  return [heading, heading.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cellsOf({ failed, ms, wake, receipt, attempts }) {
  if (failed !== undefined) return [`**not woken**: ${failed}`, '', ''];
  // Mail at the end of a turn wakes no one: the time is from the model's last words.
  const said = [`copy ${receipt}`, ...attempts].join(', ');
  return [`${ms} ms`, wake === '' ? 'the mail itself' : `\`${wake.replaceAll('|', '\\|')}\``, said];
}
