import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, administrator, password, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService({ APP_TIMEZONE: 'Asia/Tokyo' });
});
afterAll(() => auth.close());

const admin = (method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/admin/${path}`, { token: auth.admin, body });
const create = (properties: object) =>
  admin('POST', 'users', { first_name: 'Grace', last_name: 'Hopper', password, role: 'user', ...properties });
const unique = () => crypto.randomUUID().slice(0, 8);
const properties = (firstName: string) => ({
  ...{ first_name: firstName, last_name: 'Hopper', password, role: 'user' },
  email: `${unique()}@school.example`,
});
const invalid = (errors: Record<string, string[]>) => ({
  status: 422,
  body: { message: 'Invalid Data', errors },
});
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const taken = (field: string) => invalid({ [field]: [`The ${field} has already been taken.`] });

const eventsOf = (userId: number) =>
  auth.rows(
    "SELECT type, body->'data' AS data FROM auth.outbox WHERE type LIKE 'user.%' AND body->>'subject' = $1 ORDER BY position",
    `users/${userId}`,
  );

describe('an account', () => {
  test('a new account gets defaults, is returned as a user object, and is published as an event', async () => {
    const startedAt = Date.now();
    const { status, body } = await create({ email: 'Grace@School.example', mobile: '+43 660 - 99 88 77 6' });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.any(Number),
        first_name: 'Grace',
        last_name: 'Hopper',
        name: 'Grace Hopper',
        email: 'Grace@School.example',
        mobile: '+436609988776',
        role: 'user',
        is_approved: true,
        is_blocked: false,
        is_verified: false,
        is_verified_mobile: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    });
    const tokyo = Date.parse(`${body.data.created_at.replace(' ', 'T')}+09:00`);
    expect(tokyo).toBeGreaterThan(startedAt - 1_000);
    expect(tokyo).toBeLessThanOrEqual(Date.now());
    expect(await admin('GET', `users/${body.data.id}`)).toMatchObject({ status: 200, body });
    expect(await eventsOf(body.data.id)).toEqual([
      {
        type: 'user.changed.v1',
        data: {
          user_id: body.data.id,
          first_name: 'Grace',
          last_name: 'Hopper',
          role: 'user',
          email: 'Grace@School.example',
          mobile: '+436609988776',
          is_blocked: false,
          revision: 1,
        },
      },
    ]);
  });

  test.each([
    ['no fields', {}, ['first_name', 'password', 'role']],
    ['blank names', { first_name: ' ', last_name: ' ' }, ['first_name', 'password', 'role']],
  ])('a new account with %s is refused', async (_, body, fields) => {
    const answer = await admin('POST', 'users', body);
    expect(answer.status).toBe(422);
    expect(answer.body.message).toBe('Invalid Data');
    expect(Object.keys(answer.body.errors)).toEqual(fields);
  });

  test.each([
    [{ email: 'not an address' }, { email: ['The email must be a valid email address.'] }],
    [{ email: 'a@b.example', mobile: '0660 123' }, { mobile: ['The mobile format is invalid.'] }],
    [{ email: 'a@b.example', role: 'boss' }, { role: ['The selected role is invalid.'] }],
    [
      { email: 'a@b.example', password: 'short' },
      { password: ['The password must be at least 8 characters.'] },
    ],
    [{ email: 'a@b.example', password: 'iloveyou' }, { password: ['The password is too common.'] }],
    [
      { email: 'a@b.example', password: ' '.repeat(8) },
      { password: ['The password must not consist of spaces alone.'] },
    ],
    [
      { email: 'a@b.example', is_approved: 'yes' },
      { is_approved: ['The is approved field must be true or false.'] },
    ],
    [
      { email: 'a@b.example', first_name: 'x'.repeat(256) },
      { first_name: ['The first name may not be greater than 255 characters.'] },
    ],
    [
      { email: 'a@b.example', last_name: 'a\0b' },
      { last_name: ['The last name contains invalid characters.'] },
    ],
    [{}, { email: ['The email field is required when mobile is not present.'] }],
    [{ email: '', mobile: null }, { email: ['The email field is required when mobile is not present.'] }],
  ])('a new account with %j is refused', async (properties, errors) => {
    expect(await create(properties)).toMatchObject(invalid(errors));
  });

  test.each([{}, { last_name: null }, { last_name: ' ' }])(
    'a person with one name has an account (D56): %j',
    async (given) => {
      const { last_name: _, ...account } = { ...properties('Suharto'), last_name: '' };
      const { status, body } = await admin('POST', 'users', { ...account, ...given });
      expect([status, body.data]).toMatchObject([201, { name: 'Suharto', last_name: '' }]);
      const login = await auth.logIn(account);
      expect(login.body).toMatchObject({ missed_data: true, array_of_missing_data: ['last_name', 'mobile'] });
      const [event] = await eventsOf(body.data.id);
      expect(event).toMatchObject({ data: { first_name: 'Suharto', last_name: '' } });
    },
  );

  test.each([null, ''])('a last name is cleared by %j and kept when absent (D56)', async (cleared) => {
    const user = await auth.newUser();
    const change = (changes: object) => admin('PATCH', `users/${user.id}`, changes);
    expect((await change({ first_name: 'Ada' })).body.data.name).toBe('Ada Lovelace');
    expect((await change({ last_name: cleared })).body.data).toMatchObject({ name: 'Ada', last_name: '' });
  });

  test('an address in any script logs in however it is encoded (SMTPUTF8)', async () => {
    const account = properties('Jörg');
    const email = `JÖRG${unique()}@Schüle.example`;
    const { status, body } = await admin('POST', 'users', { ...account, email });
    expect([status, body.data?.email]).toEqual([201, email.toLowerCase()]);
    for (const written of [email, email.toLowerCase(), email.normalize('NFD')])
      expect((await auth.logIn({ email: written })).status).toBe(200);
    expect(await create({ email: email.normalize('NFD') })).toMatchObject(taken('email'));
  });

  test('the email address and mobile number of an account are unique (D8)', async () => {
    const user = await auth.newUser();
    const spaced = user.mobile.replace('+43', '+43 ');
    expect(await create({ email: user.email.toUpperCase() })).toMatchObject(taken('email'));
    expect(await create({ mobile: spaced })).toMatchObject(taken('mobile'));
    const other = await auth.newUser();
    expect(await admin('PATCH', `users/${other.id}`, { email: user.email })).toMatchObject(taken('email'));
    expect(await admin('PATCH', `users/${other.id}`, { mobile: spaced })).toMatchObject(taken('mobile'));
    expect((await admin('PATCH', `users/${user.id}`, { email: user.email.toUpperCase() })).status).toBe(200);
  });

  test('eight simultaneous requests with one address create one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ email: 'race@school.example' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject(taken('email'));
  });

  test('a change updates the given fields and increments the revision; an ineffective change publishes no event', async () => {
    const user = await auth.newUser();
    const token = await auth.tokenOf(user);
    const change = { first_name: 'Augusta', mobile: null, is_verified: true };
    const { body } = await admin('PATCH', `users/${user.id}`, change);
    expect(body.data).toMatchObject({ ...change, last_name: 'Lovelace', email: user.email });
    expect((await admin('PATCH', `users/${user.id}`, change)).body).toEqual(body);
    expect((await admin('PATCH', `users/${user.id}`, {})).body).toEqual(body);
    const revisions = (await eventsOf(user.id)).map(({ data }) => (data as { revision: number }).revision);
    expect(revisions).toEqual([1, 2]);
    expect((await auth.call('GET', '/api/v3/me', { token })).status).toBe(200);
    expect(await admin('PATCH', `users/${user.id}`, { email: null })).toMatchObject(
      invalid({ email: ['The email field is required when mobile is not present.'] }),
    );
  });

  test('a user logs in with the password that an administrator set', async () => {
    const user = await auth.newUser();
    await admin('PATCH', `users/${user.id}`, { password: 'set by the administrator' });
    expect((await auth.logIn(user)).status).toBe(401);
    expect((await auth.logIn(user, { password: 'set by the administrator' })).status).toBe(200);
  });

  test('a deleted account is not found, frees its address and number, and leaves no personal data', async () => {
    const user = await auth.newUser();
    await auth.logIn(user);
    expect(await admin('DELETE', `users/${user.id}`)).toMatchObject({ status: 204, body: null });
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(await admin(method, `users/${user.id}`, method === 'PATCH' ? {} : undefined)).toMatchObject(
        notFound,
      );
    expect((await auth.logIn(user)).body.message).toBe('These credentials do not match our records.');
    const [row] = await auth.rows('SELECT * FROM auth.users WHERE id = $1', user.id);
    expect(row).toMatchObject({
      first_name: '',
      last_name: '',
      email: null,
      mobile: null,
      password_hash: '',
    });
    expect(await auth.rows('SELECT 1 FROM auth.devices WHERE user_id = $1', user.id)).toEqual([]);
    expect((await eventsOf(user.id)).at(-1)).toMatchObject({
      type: 'user.deleted.v1',
      data: { user_id: user.id, first_name: '', email: null, revision: 2 },
    });
    expect((await create({ email: user.email, mobile: user.mobile })).status).toBe(201);
  });

  test.each(['0', 'x', '1.5', '-1', '999999', '2147483648', '99999999999999999999', '%00'])(
    'an account with the id %s is not found (D4)',
    async (id) => {
      for (const path of [`users/${id}`, `users/${id}/devices`])
        expect(await admin('GET', path)).toMatchObject(notFound);
      expect(await admin('DELETE', `users/${id}`)).toMatchObject(notFound);
    },
  );
});

describe('the list of accounts', () => {
  const list = (query: string) => admin('GET', `users?${query}`);
  const namesOf = async (query: string) =>
    (await list(query)).body.data.map(({ first_name }: { first_name: string }) => first_name);

  test('a search for accounts matches part of a name or address, ignoring case, and treats % and _ literally', async () => {
    const names = ['50%_off', '500 off', "O'Neil \\ $1 :x ?", 'Ünal'];
    for (const [index, first_name] of names.entries())
      await create({ first_name, last_name: `Searched ${index}`, email: `needle-${index}@search.example` });
    expect(await namesOf('search=0%25_O')).toEqual(['50%_off']);
    expect(await namesOf('search=0%25')).toEqual(['50%_off']);
    expect(await namesOf(`search=${encodeURIComponent("'neil \\ $1 :x ?")}`)).toEqual(["O'Neil \\ $1 :x ?"]);
    expect(await namesOf('search=ÜN')).toEqual(['Ünal']);
    expect(await namesOf('search=searched')).toEqual(names.toReversed());
    expect(await namesOf('search=NEEDLE-1')).toEqual(['500 off']);
    expect(await namesOf('search=no%20such%20name')).toEqual([]);
  });

  test('the list of accounts is filtered by role, paged newest first, and keeps the filter in its URLs', async () => {
    for (const name of ['One', 'Two', 'Three'])
      await create({
        first_name: name,
        last_name: 'Paged',
        email: `${name}@page.example`,
        role: 'instructor',
      });
    const { body } = await list('search=paged&role=instructor&per_page=2&page=2');
    expect(body.data.map(({ first_name }: { first_name: string }) => first_name)).toEqual(['One']);
    expect(body.meta).toMatchObject({ current_page: 2, from: 3, last_page: 2, per_page: 2, to: 3, total: 3 });
    expect(body.links.prev).toBe(
      `${auth.service.url}/api/v3/admin/users?search=paged&role=instructor&per_page=2&page=1`,
    );
    expect(body.links.next).toBeNull();
    expect((await list('')).body.meta.per_page).toBe(15);
    expect((await list('per_page=1000')).body.meta.per_page).toBe(100);
  });

  test.each([
    ['role=boss', { role: ['The selected role is invalid.'] }],
    ['page=0', { page: ['The page must be at least 1.'] }],
    ['per_page=x', { per_page: ['The per page must be an integer.'] }],
    ['search=a&search=b', { search: ['The search must be a string.'] }],
    ['search=%00', { search: ['The search contains invalid characters.'] }],
  ])('the list of accounts rejects the query %s', async (query, errors) => {
    expect(await list(query)).toMatchObject(invalid(errors));
  });
});

describe('administration', () => {
  const adminRoutes: [string, string][] = [
    ['GET', 'users'],
    ['POST', 'users'],
    ['GET', 'users/1'],
    ['PATCH', 'users/1'],
    ['DELETE', 'users/1'],
    ['GET', 'users/1/devices'],
    ['PATCH', 'devices/1'],
    ['DELETE', 'devices/1'],
  ];

  test('administrator routes reject all other users', async () => {
    const tokens = [
      await auth.tokenOf(await auth.newUser()),
      await auth.tokenOf(await auth.newUser({ role: 'instructor' })),
    ];
    for (const [method, path] of adminRoutes) {
      for (const token of tokens)
        expect(await auth.call(method, `/api/v3/admin/${path}`, { token })).toMatchObject({
          status: 403,
          body: { message: 'Unauthorized Access', errors: null },
        });
      expect((await auth.call(method, `/api/v3/admin/${path}`)).status).toBe(401);
    }
  });

  test('the last administrator cannot be deleted, blocked or demoted', async () => {
    const { body } = await admin('GET', `users?role=admin&search=${administrator.email}`);
    const { id } = body.data[0];
    // Other tests create administrators too.
    await auth.rows(
      "UPDATE auth.users SET is_blocked = true WHERE role = 'admin' AND email <> $1",
      administrator.email,
    );
    const blocked = await auth.newUser({ role: 'admin' });
    await admin('PATCH', `users/${blocked.id}`, { is_blocked: true });
    const refused = {
      status: 409,
      body: { message: expect.stringContaining('last administrator'), errors: null },
    };
    expect(await admin('DELETE', `users/${id}`)).toMatchObject(refused);
    expect(await admin('PATCH', `users/${id}`, { is_blocked: true })).toMatchObject(refused);
    expect(await admin('PATCH', `users/${id}`, { role: 'user' })).toMatchObject(refused);
    expect((await admin('PATCH', `users/${id}`, { first_name: 'Still' })).status).toBe(200);
    expect((await admin('DELETE', `users/${blocked.id}`)).status).toBe(204);
  });

  test('one administrator remains when three demote each other simultaneously', async () => {
    const three = [
      await auth.newUser({ role: 'admin' }),
      await auth.newUser({ role: 'admin' }),
      await auth.newUser({ role: 'admin' }),
    ];
    const tokens = await Promise.all(three.map((each) => auth.tokenOf(each)));
    const setBlocked = (isBlocked: boolean) =>
      auth.rows('UPDATE auth.users SET is_blocked = $1 WHERE email = $2', isBlocked, administrator.email);
    await setBlocked(true);
    await Promise.all(
      tokens.map((token, index) =>
        auth.call('PATCH', `/api/v3/admin/users/${three[(index + 1) % 3]?.id}`, {
          token,
          body: { role: 'user' },
        }),
      ),
    );
    const remaining = await auth.rows("SELECT id FROM auth.users WHERE role = 'admin' AND NOT is_blocked");
    await setBlocked(false);
    expect(remaining.length).toBeGreaterThan(0);
  });
});
