import { beforeAll, describe, expect, it } from 'bun:test';
import { createSecretScanner, type SecretScanner } from './secret-scanner.ts';

const SECRET = 'korall-Fjord9';
const OTHER = 'nebel_Kiste4';

let scanner: SecretScanner;
beforeAll(async () => {
  scanner = await createSecretScanner();
});

describe('secrets in tables', () => {
  it.each([
    `user,password\nbob,${SECRET}\nann,${OTHER}\n`,
    `user;Password;city\r\n"bob";"${SECRET}";Oslo\r\nann;${OTHER};Rome`,
    `| name | password |\n|------|----------|\n| bob | ${SECRET} |\n| ann | \`${OTHER}\` |`,
    ` user | api_key\n------+---------\n bob  | ${SECRET}\n ann  | ${OTHER}\n(2 rows)`,
    `INSERT INTO users (name, password) VALUES ('bob', '${SECRET}'), ('ann, b', '${OTHER}');`,
    `insert into "users" ("password", "name") values ('${SECRET}', 'it''s'), ('${OTHER}', 'ann')`,
  ])('masks the column of a secret in %p', async (content) => {
    const trace = { steps: [{ content }] };
    const scan = await scanner.scan(trace);
    const masked = JSON.stringify(scan.mask(trace));
    expect(masked).not.toContain(SECRET);
    expect(masked).not.toContain(OTHER);
    expect(scan.findings).toHaveLength(2);
    expect(masked).toContain('ann');
  });

  it.each([
    `token,count\n${SECRET},4\n`,
    'provider | API key\n---|---\nOpenAI | required\nOllama | not needed here',
    'name,max_tokens\ngpt,4096',
    `To reset, password hints help\nbob, ${SECRET}\n`,
    `user,password\n\n${SECRET},x,y\n`,
    `INSERT INTO words (token, name) VALUES ('${SECRET}', 'x')`,
  ])('finds nothing in %p', async (content) => {
    expect((await scanner.scan({ steps: [{ content }] })).findings).toEqual([]);
  });
});

describe('names of secrets', () => {
  it.each([
    `"password":\n          "${SECRET}"`,
    `const clientSecret =\n  '${SECRET}';`,
    `os.Setenv("DB_PASSWORD", "${SECRET}")`,
    `variable "db_password" {\n  type = string\n  default = "${SECRET}"\n}`,
    `Passwort: ${SECRET}`,
    `contraseña: ${SECRET}`,
    `mot de passe : ${SECRET}`,
    `パスワード：${SECRET}。`,
    `密码: "${SECRET}"`,
    `비밀번호=${SECRET}`,
  ])('are found in %p', async (content) => {
    const trace = { steps: [{ content }] };
    const scan = await scanner.scan(trace);
    expect(JSON.stringify(scan.mask(trace))).not.toContain(SECRET);
  });

  it.each([
    'secrets:\n        "database": "main"',
    '密码: 请输入您的密码',
    'パスワード: 未設定',
    'Passwort: vergessen?',
  ])('are not found in %p', async (content) => {
    expect((await scanner.scan({ steps: [{ content }] })).findings).toEqual([]);
  });

  it('includes a Hugging Face token with digits', async () => {
    const content = `login with hf_${'Zb0RLZ5TR9SPofbci'.repeat(2)}`;
    const { findings } = await scanner.scan({ steps: [{ content }] });
    expect(findings.map(({ kind }) => kind)).toEqual(['hugging-face-token']);
  });
});
