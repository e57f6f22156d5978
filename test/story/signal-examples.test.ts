// The published examples of Signal, exactly as written there, through every generation of client.
import { describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

interface Example {
  name: string;
  arguments: Record<string, unknown>;
}

const question: Example = JSON.parse(`{
  "name": "ask_question",
  "arguments": {
    "question": "The auth refactor will change the JWT signing algorithm from HS256 to RS256. This is a breaking change for existing tokens. Proceed?",
    "options": ["Yes, proceed", "No, keep HS256", "Let me review first"],
    "context": "Working on task abc123. The current HS256 implementation has a known weakness.",
    "priority": "high"
  }
}`);

const poll: Example = JSON.parse(`{
  "name": "get_response",
  "arguments": {
    "questionId": "q-789"
  }
}`);

const alert: Example = JSON.parse(`{
  "name": "send_alert",
  "arguments": {
    "message": "Deploy to staging complete. 3 services updated. Zero errors.",
    "alertType": "success"
  }
}`);

const pending = JSON.parse(`{
  "success": true,
  "answered": false
}`);

const answered = JSON.parse(`{
  "success": true,
  "answered": true,
  "response": "Yes, proceed"
}`);

const hub = useHub();

describe.each(generations)('with the client %s', (generation) => {
  const agent = `builder-${generation.replaceAll(' ', '-')}`;

  it('a question is asked, polled for, answered by a person, and polled for again', async () => {
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=${agent}`);
    const asked = await client.call(question.name, question.arguments);
    expect(asked).toMatchObject({ isError: false, structured: { success: true, message: expect.any(String) } });
    const { questionId } = asked.structured;
    expect(asked.text).toContain(questionId);
    expect(asked.text).toContain('get_response');
    const fields = { ...poll.arguments, questionId };
    expect((await client.call(poll.name, fields)).structured).toMatchObject(pending);
    const [listed] = (await call(hub.url, 'list_questions', {}, { agent: 'me' })).questions;
    expect(listed).toMatchObject({
      id: questionId,
      priority: 'high',
      from: agent,
      question: question.arguments['question'],
    });
    await call(hub.url, 'answer_question', { questionId, option: 'Yes, proceed' }, { agent: 'me' });
    const got = await client.call(poll.name, fields);
    expect(got.structured).toMatchObject(answered);
    expect(got.text).toContain(`me answered question ${questionId}: option 1, Yes, proceed`);
    const mail = await client.call('wait_for_mentions', { timeoutMs: 0 });
    expect(mail.text).toContain(`me answered question ${questionId}: option 1, Yes, proceed`);
    await client.close();
  });

  it('an unknown question is unknown', async () => {
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=${agent}`);
    const { isError, text } = await client.call(poll.name, poll.arguments);
    expect([isError, text]).toEqual([true, expect.stringMatching(/^QUESTION_UNKNOWN: No question 'q-789'/)]);
    await client.close();
  });

  it('an alert is sent', async () => {
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=${agent}`);
    const { structured } = await client.call(alert.name, alert.arguments);
    expect(structured).toMatchObject({ success: true, alertId: expect.stringMatching(/^a-/) });
    const [listed] = (await call(hub.url, 'list_alerts', {}, { agent: 'me' })).alerts;
    expect(listed).toMatchObject({
      id: structured.alertId,
      alertType: 'success',
      message: alert.arguments['message'],
    });
    await client.close();
  });
});
