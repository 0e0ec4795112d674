import { describe, expect, it } from 'bun:test';
import { plainPasswordWarning, redactUrls } from './redact-urls.ts';

const SECRET = 'S3cretPw9xK';

describe('redactUrls', () => {
  it.each([
    ['postgres://kp:S3cretPw9xK@db.example/kp', 'postgres://kp:***@db.example/kp'],
    ['postgresql://kp:S3cretPw9xK@db.example:5432/kp', 'postgresql://kp:***@db.example:5432/kp'],
    ['POSTGRES://kp:S3cretPw9xK@db.example', 'POSTGRES://kp:***@db.example'],
    ['postgres://kp:S3cretPw9xK@h1:1,h2:2/kp', 'postgres://kp:***@h1:1,h2:2/kp'],
    ['postgresql+psycopg://kp:S3cretPw9xK@h/kp', 'postgresql+psycopg://kp:***@h/kp'],
    ['jdbc:postgresql://h/kp?user=a&password=S3cretPw9xK', 'user=a&password=***'],
    ['redis://:S3cretPw9xK@h:6379/0', 'redis://:***@h:6379/0'],
    ['rediss://kp:S3cretPw9xK@h:6380', 'rediss://kp:***@h:6380'],
    ['redis://:S3cretPw9xK@[::1]:6379', 'redis://:***@[::1]:6379'],
    ['redis+sentinel://:S3cretPw9xK@h:26379/mymaster', 'redis+sentinel://:***@h:26379/mymaster'],
    ['redis://h:6379?password=S3cretPw9xK', 'redis://h:6379?password=***'],
    ['amqp://guest:S3cretPw9xK@h:5672/%2f', 'amqp://guest:***@h:5672/%2f'],
    ['mongodb+srv://kp:S3cretPw9xK@c.example/db', 'mongodb+srv://kp:***@c.example/db'],
    ['mysql://kp:S3cretPw9xK@h/db', 'mysql://kp:***@h/db'],
    ['https://kp:S3cretPw9xK@h/path', 'https://kp:***@h/path'],
    ['https://S3cretPw9xK@github.com/a/b.git', 'https://***@github.com/a/b.git'],
    ['ftp://kp:S3cretPw9xK@h/file', 'ftp://kp:***@h/file'],
    ['s3://AKIA:S3cretPw9xK@bucket/key', 's3://AKIA:***@bucket/key'],
    ['//kp:S3cretPw9xK@h/path', '//kp:***@h/path'],
    // Passwords with characters that should have been escaped.
    ['postgres://kp:a/S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:S3cretPw9xK/a@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:1234/S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:a@S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:a:S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:a?S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:a#S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:a S3cretPw9xK@h/kp', 'postgres://kp:***@h/kp'],
    ['postgres://kp:S3cretPw9xK%40%2F@h/kp', 'postgres://kp:***@h/kp'],
    ['redis://:a/S3cretPw9xK@h', 'redis://:***@h'],
    ['https://kp:a/S3cretPw9xK@h', 'https://kp:***@h'],
    ['https://kp:a@S3cretPw9xK@h', 'https://kp:***@h'],
    // Parameters.
    ['postgres://h/kp?password=S3cretPw9xK', 'postgres://h/kp?password=***'],
    ['postgres://h/kp?PASSWORD=S3cretPw9xK&a=1', 'PASSWORD=***&a=1'],
    ['postgres://h/kp?a=1&sslpassword=S3cretPw9xK', 'a=1&sslpassword=***'],
    ['postgres://h/kp?pass%77ord=S3cretPw9xK', 'postgres://h/kp?pass%77ord=***'],
    ['https://h/x?access_token=S3cretPw9xK#top', 'access_token=***#top'],
    ['https://h/x#access_token=S3cretPw9xK', '#access_token=***'],
    ['https://h/x?api-key=S3cretPw9xK', 'api-key=***'],
    ['https://h/x?X=1;token=S3cretPw9xK;y=2', 'token=***;y=2'],
    ['https://h/x?sig=S3cretPw9xK', 'sig=***'],
    ['https://h/x?client_secret=S3cretPw9xK', 'client_secret=***'],
    ['https://u:S3cretPw9xK@h/?password=S3cretPw9xK', 'https://u:***@h/?password=***'],
    // Connection strings with keywords.
    ['host=h user=kp password=S3cretPw9xK dbname=kp', 'password=*** dbname=kp'],
    ["host=h password='a S3cretPw9xK' dbname=kp", 'password=*** dbname=kp'],
    ["password = 'it\\'s S3cretPw9xK'", 'password = ***'],
    ['Server=h;Password=S3cretPw9xK;Database=kp', 'Password=***;Database=kp'],
    ['AccountName=a;SharedAccessKey=S3cretPw9xK', 'SharedAccessKey=***'],
    // Several secrets in one text.
    [
      'from redis://:S3cretPw9xK@a to postgres://k:S3cretPw9xK@b',
      'from redis://:***@a to postgres://k:***@b',
    ],
    ['redis://:S3cretPw9xK@a,redis://:S3cretPw9xK@b', 'redis://:***@a,redis://:***@b'],
    ['failed ("postgres://k:S3cretPw9xK@b/x"): no', 'failed ("postgres://k:***@b/x"): no'],
  ])('redacts %j', (text, expected) => {
    const redacted = redactUrls(text);
    expect(redacted).toContain(expected);
    expect(redacted).not.toContain(SECRET);
  });

  it.each([
    'seen.db',
    'C:\\runs\\a@b.db',
    'sqlite:/var/kp/seen.db',
    'postgres://kp@h:5432/kp?sslmode=require',
    'postgres://kp:@h/kp',
    'redis://h:6379/0',
    'redis://[::1]:6379/0',
    'https://unpkg.com/react@19.0.0/index.js',
    'http://localhost:3000/@fs/x.ts',
    'https://h/x?page=2&sort=key',
    'max_tokens=100 temperature=0.5',
    'see https://example.com/a, or mail kp@example.com',
  ])('leaves %j unchanged', (text) => {
    expect(redactUrls(text)).toBe(text);
  });

  it('takes linear time for a hostile text', () => {
    const pieces = [
      '//',
      'a://b:',
      'password=',
      "password='",
      'a://u:p @',
      'a.',
      'a:',
      '\\',
      'a:// ',
    ];
    for (const piece of pieces) {
      const started = performance.now();
      redactUrls(piece.repeat(200_000 / piece.length));
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

const warn = (host: string | null | undefined, password: unknown = 'pw', isEncrypted = false) =>
  plainPasswordWarning({ host, password, isEncrypted }, 'use TLS');

describe('plainPasswordWarning', () => {
  it.each([
    ...['db.example', '10.0.0.5', '192.168.1.1', 'fd00::1', '[fd00::1]', 'db', '8.8.8.8'],
    ...['localhost.evil.example', '127.0.0.1.evil.example', '1270.0.0.1', '::ffff:10.0.0.1'],
    ...['host.docker.internal', 'my/localhost'],
  ])('warns of a password for %s', (host) => {
    expect(warn(host)).toBe(
      `the password for ${host.replace(/[[\]]/g, '')} and all data are sent without TLS; use TLS`,
    );
  });

  it.each([
    ...['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.1', '127.200.3.4', '::1'],
    ...['[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '0.0.0.0', '::', '/var/run/postgresql'],
    ...['@abstract', '', null, undefined],
  ])('does not warn for the local address %p', (host) => {
    expect(warn(host)).toBeUndefined();
  });

  it('does not warn without a password, or with TLS', () => {
    for (const password of [undefined, null, '']) {
      const server = { host: 'db', password, isEncrypted: false };
      expect(plainPasswordWarning(server, 'use TLS')).toBeUndefined();
    }
    expect(warn('db', 'pw', true)).toBeUndefined();
    // `pg` accepts a function that returns the password.
    expect(warn('db', () => 'pw')).toContain('without TLS');
  });
});
