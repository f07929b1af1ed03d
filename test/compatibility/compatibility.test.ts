import { describe, expect, test } from 'vitest';
import { currentDocument, type Document, releasedDocument } from './documents.ts';
import { eventsAsResponses } from './eventsAsResponses.ts';
import { breakingChanges } from './oasdiff.ts';

const changed = (document: Document, change: (copy: Document) => void): Document => {
  const copy = structuredClone(document);
  change(copy);
  return copy;
};

describe('the OpenAPI document', () => {
  const current = currentDocument('openapi.json');

  test('the document is compatible with the released one', () => {
    expect(breakingChanges(releasedDocument('openapi.json'), current)).toEqual([]);
  });

  const remove = (schema: Document, field: string) => {
    delete schema.properties[field];
    schema.required = schema.required.filter((name: string) => name !== field);
  };

  test.each<[string, (copy: Document) => void, RegExp]>([
    [
      'a response loses a field',
      ({ components }) => remove(components.schemas.OwnUser, 'email'),
      /GET \/api\/v3\/me.*email/,
    ],
    [
      'a field of a response gets another type',
      ({ components }) => {
        components.schemas.Course.properties.title.type = 'integer';
      },
      /title/,
    ],
    [
      'an operation is removed',
      ({ paths }) => {
        delete paths['/api/v3/courses'].get;
      },
      /GET \/api\/v3\/courses/,
    ],
    [
      'a request requires another field',
      ({ paths }) => {
        const { schema } = paths['/api/v3/admin/webhooks'].post.requestBody.content['application/json'];
        schema.required.push('description');
      },
      /POST \/api\/v3\/admin\/webhooks.*description/,
    ],
  ])('the check fails when %s', (_, change, complaint) => {
    expect(breakingChanges(current, changed(current, change)).join('\n')).toMatch(complaint);
  });

  test('the check accepts new fields, operations and error codes', () => {
    const extended = changed(current, ({ components, paths }) => {
      components.schemas.OwnUser.properties.pronouns = { type: 'string' };
      components.schemas.OwnUser.required.push('pronouns');
      components.headers['Error-Code'].schema.enum.push('new_code');
      paths['/api/v3/new'] = paths['/api/v3/courses'];
    });
    expect(breakingChanges(current, extended)).toEqual([]);
  });
});

describe('the AsyncAPI document', () => {
  const current = currentDocument('asyncapi.json');
  const breaks = (from: Document, to: Document) =>
    breakingChanges(eventsAsResponses(from), eventsAsResponses(to));

  test('the events are compatible with the released ones', () => {
    expect(breaks(releasedDocument('asyncapi.json'), current)).toEqual([]);
  });

  test.each<[string, (copy: Document) => void, RegExp]>([
    [
      'an event loses a field',
      ({ components }) => {
        const schema = components.schemas['user.changed.v1'];
        delete schema.properties.email;
        schema.required = schema.required.filter((name: string) => name !== 'email');
      },
      /webhook\.user\.changed\.v1.*data\/email/,
    ],
    [
      'a field of an event gets another type',
      ({ components }) => {
        components.schemas['quiz.submission.graded.v1'].properties.grade.type = 'string';
      },
      /quiz\.submission\.graded\.v1.*grade/,
    ],
    [
      'an event is removed',
      ({ components }) => {
        delete components.messages['webhook.course.changed.v1'];
      },
      /webhook\.course\.changed\.v1/,
    ],
    [
      'a header is removed',
      ({ components }) => {
        delete components.schemas.WebhookHeaders.properties['webhook-signature'];
      },
      /webhook-signature/,
    ],
  ])('the check fails when %s', (_, change, complaint) => {
    expect(breaks(current, changed(current, change)).join('\n')).toMatch(complaint);
  });

  test('the check accepts new events and fields', () => {
    const extended = changed(current, ({ components }) => {
      components.schemas['user.changed.v1'].properties.pronouns = { type: 'string' };
      components.messages['webhook.user.changed.v2'] = components.messages['webhook.user.changed.v1'];
    });
    expect(breaks(current, extended)).toEqual([]);
  });
});
