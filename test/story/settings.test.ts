// A setting that is refused: by which name, what was given, and what is allowed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { folder, coterie, writeConfig, expectRefused } from './start-command.js';

const hub = useHubProcess();

describe('a setting', () => {
  it.each([
    ['an unknown flag', ['--prot', '5'], /--prot is not known[^]*--port/],
    ['an unknown flag unlike any', ['--qqqqqqqq', '5'], /--qqqqqqqq is not known[^]*--host, --port/],
    ['a port that is none', ['--port', '99999'], /--port was given '99999'[^]*0 to 65535/],
    ['a port that is text', ['--port=web'], /--port was given 'web'[^]*0 to 65535/],
    ['a flag without its value', ['--port'], /--port needs a value/],
    ['a short wait', ['--client-wait-ms', '5'], /--client-wait-ms was given '5'[^]*1000 to 600000/],
    ['too few days in all', ['--all-days', '0'], /--all-days was given '0'[^]*1 to 36500/],
    ['a bound that is none', ['--store-max-mb', 'lots'], /--store-max-mb was given 'lots'[^]*0 or 1 to/],
    ['a level that is none', ['--log-level', 'loud'], /--log-level was given 'loud'[^]*debug, info, warn, error/],
    ['a public URL with a path', ['--public-url', 'https://hub.example/x'], /--public-url was given[^]*without a path/],
    [
      'a public URL with a query',
      ['--public-url', 'https://hub.example?x'],
      /--public-url was given[^]*without a path/,
    ],
    ['a public URL that is none', ['--public-url', 'hub.example'], /--public-url was given 'hub.example'[^]*https:/],
    ['a public URL of another kind', ['--public-url', 'ftp://hub.example'], /--public-url was given[^]*https:/],
    ['a proxy by name', ['--trust-proxy', 'proxy.example'], /--trust-proxy was given 'proxy.example'[^]*addresses/],
    ['a number of proxies', ['--trust-proxy', '1'], /--trust-proxy was given '1'[^]*addresses and networks/],
    ['a word too many', ['here'], /'here'/],
    ['a database of another kind', ['--database', 'mysql://hub@db/x'], /--database was given 'mysql:[^]*postgres:\/\//],
    ['a database that is no address', ['--database', 'team'], /--database was given 'team'[^]*postgres:\/\//],
    ['a database at no port', ['--database', 'postgres://db:five/x'], /--database was given 'postgres:\/\/db:five/],
  ])('with %s is refused', async (_, args, says) => {
    expectRefused(await coterie(['serve', ...args]), 2, 'USAGE', says);
  });

  it('in the environment is refused under its own name', async () => {
    const finished = await coterie(['serve'], { COTERIE_PORT: 'web' });
    expectRefused(finished, 2, 'USAGE', /COTERIE_PORT was given 'web'[^]*0 to 65535/);
  });

  it.each([
    ['--database', 'mysql://hub:s3cret@db/x'],
    ['--database', 'postgres://hub:s3cret@s3cret@db:five/x'],
    ['--database', 'postgres:/hub:s3cret@db/x'],
    ['--database', 'hub:s3 cret@db/x'],
    ['--database', 'host=db password=s3cret'],
    ['postgres://hub:s3cret@db/x'],
    ['--public-url', 'https://hub:s3cret@hub.example'],
  ])('is shown without its password (%s %s)', async (...args) => {
    const finished = await coterie(['serve', ...args]);
    expectRefused(finished, 2, 'USAGE', /\*\*\*/);
    expect(finished.stderr).not.toMatch(/s3|cret/);
  });

  it('with a password in a config file that is no JSON is not quoted', async () => {
    const path = writeConfig('{"database":"postgres://hub:s3cret@db/x",}');
    const finished = await coterie(['serve', '--config', path]);
    expectRefused(finished, 2, 'USAGE', /--config[^]*config\.json/);
    expect(finished.stderr).not.toContain('cret');
  });

  it('of a database leaves bridges and coterie stop without a folder to find the hub by', async () => {
    const env = { COTERIE_DATABASE_URL: 'postgres://hub:s3cret@db/x' };
    const stop = await coterie(['stop', '--data', hub.data], env);
    expectRefused(stop, 2, 'USAGE', /--database[^]*SIGTERM/);
    expectRefused(await coterie(['mcp', '--data', hub.data], env), 2, 'USAGE', /--database[^]*--url/);
    await call(hub.url, 'list_agents', {});
    const empty = await coterie(['stop', '--data', join(folder, 'none')], { COTERIE_DATABASE_URL: '' });
    expect(empty).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no hub runs') });
  });

  it('may not open the hub to the network while it has no keys', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'hub.example']) {
      const finished = await coterie(['serve', '--port', '0', '--host', host, '--data', join(folder, 'open')]);
      expectRefused(
        finished,
        2,
        'OPEN_MODE_BEYOND_LOOPBACK',
        new RegExp(
          `--host was given '${host}'[^]*coterie keys create --agent NAME --admin --data [^]*open[^]*127\\.0\\.0\\.1`,
        ),
      );
    }
  });

  it.each([
    ['that is not there', undefined, /--config[^]*none\.json/],
    ['that is no JSON', '{"port":', /--config[^]*config\.json/],
    ['that is no object', [], /--config[^]*config\.json[^]*object/],
    ['with an unknown name', { prot: 1 }, /"prot" in [^]*mean "?-?-?port/],
    ['with a bad value', { port: 'web' }, /"port" in the config file was given 'web'[^]*0 to 65535/],
    ['with an unknown limit', { limits: { titelChars: 5 } }, /"titelChars"[^]*mean "?titleChars/],
    ['with a limit of nothing', { limits: { titleChars: 0 } }, /"titleChars" was given '0'[^]*above 0/],
    ['with a limit that has its own flag', { limits: { allDays: 5 } }, /"allDays" is not known/],
    ['with groups that are a list', { groups: [] }, /"groups" in the config file is not an object/],
    ['with a group that is no name', { groups: { 'a b': [] } }, /"groups\.a b" in the config file[^]*letter or digit/],
    ['with a group that is no list', { groups: { team: 'ann' } }, /"groups\.team" in the config file is not a list/],
    ['with a member that is no id', { groups: { team: ['ann', 'b c'] } }, /"groups\.team\[1\]"[^]*'b c'[^]*letter/],
    ['with a member that is no text', { groups: { team: [null] } }, /"groups\.team\[0\]"[^]*'null'/],
    [
      'with too many members',
      { limits: { groupMembers: 2 }, groups: { team: ['a', 'b', 'c'] } },
      /"groups\.team" in the config file has 3 members[^]*at most 2/,
    ],
    ['with limits that are a list', { limits: [] }, /"limits"[^]*object/],
  ])('in a config file %s is refused', async (_, config, says) => {
    const path = config === undefined ? join(folder, 'none.json') : writeConfig(config);
    // The folder is in use, so a config that should have been refused ends the command all the same.
    const finished = await coterie(['serve', '--data', hub.data, '--config', path]);
    expectRefused(finished, 2, 'USAGE', says);
  });

  it('of a flag wins over the environment, which wins over the file', async () => {
    const config = writeConfig({ 'client-wait-ms': 1000, data: join(folder, 'from-file'), limits: { titleChars: 5 } });
    const env = { COTERIE_CLIENT_WAIT_MS: '5', COTERIE_DATA: join(folder, 'from-environment') };
    // Each stands behind the next: the file's value is good, the environment's is not and is named, the flag's is good.
    expectRefused(
      await coterie(['serve', '--config', config], env),
      2,
      'USAGE',
      /COTERIE_CLIENT_WAIT_MS was given '5'/,
    );
    const flagged = await startHubProcess({ args: ['--config', config, '--client-wait-ms', '2000'], env });
    expect(existsSync(join(flagged.data, 'coterie.db'))).toBe(true);
    expect(existsSync(join(folder, 'from-file')) || existsSync(join(folder, 'from-environment'))).toBe(false);
    const { body } = await post(flagged.url, 'create_thread', { title: 'sixsix' }, { agent: 'ann' });
    expect(body.error.message).toContain('at most 5');
  });
});

describe('the command line', () => {
  it.each(['--help', '-h', 'help', 'serve --help'])('prints its help for %s', async (args) => {
    const { exitCode, stdout, stderr } = await coterie(args.split(' '));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: coterie [^]*serve[^]*stop[^]*--port[^]*COTERIE_PORT[^]*--config/);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await coterie(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('refuses an unknown command with the nearest', async () => {
    expectRefused(await coterie(['srve']), 2, 'USAGE', /'srve'[^]*'serve'/);
  });
});
