// Tools that need input from the client first: a form, a model's answer, its roots.
import { inputResponse } from '@modelcontextprotocol/server';
import { ask, describeReply, formValue, type Questions } from './ask.js';
import { describeTool, textAnswer, type FixtureCall, type FixtureTool } from './fixture-tool.js';
import * as questions from './questions.js';

interface AskingTool {
  name: string;
  description: string;
  required?: readonly string[];
  isStateful?: boolean;
  rounds(call: FixtureCall): Questions[];
  /** `replyText` describes the reply to one question. */
  conclude(replyText: (key: string) => string, call: FixtureCall): string;
}

const table: readonly AskingTool[] = [
  {
    name: 'test_sampling',
    description: 'Has the client’s model answer a prompt.',
    required: ['prompt'],
    rounds: ({ input }) => [{ answer: questions.sample(String(input['prompt']), 100) }],
    conclude: (replyText) => `LLM response: ${replyText('answer')}`,
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address.',
    required: ['message'],
    rounds: ({ input }) => [{ user: questions.whoAreYou(String(input['message'])) }],
    conclude: (replyText) => `User response: ${replyText('user')}`,
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default for every primitive type.',
    rounds: () => [{ form: questions.everyDefault }],
    conclude: (replyText) => `Elicitation completed: ${replyText('form')}`,
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with every kind of choice.',
    rounds: () => [{ form: questions.everyChoice }],
    conclude: (replyText) => `Elicitation completed: ${replyText('form')}`,
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Asks for a confirmation.',
    rounds: () => [{ confirm: questions.confirm }],
    conclude: (replyText) => `Confirmed: ${replyText('confirm')}`,
  },
  {
    name: 'test_missing_capability',
    description: 'Requires a client that supports sampling.',
    rounds: () => [{ capital: questions.capital }],
    conclude: (replyText) => `LLM response: ${replyText('capital')}`,
  },
  {
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name, then greets.',
    rounds: () => [{ user_name: questions.name('What is your name?') }],
    conclude: (_replyText, { request }) => `Hello, ${formValue(request, 'user_name', 'name')}!`,
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Asks the client’s model for a capital.',
    rounds: () => [{ capital_question: questions.capital }],
    conclude: (replyText) => replyText('capital_question'),
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the client’s roots.',
    rounds: () => [{ client_roots: questions.roots }],
    conclude: (replyText) => `Roots: ${replyText('client_roots')}`,
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Asks for a confirmation and has the client carry a state.',
    isStateful: true,
    rounds: () => [{ confirm: questions.confirm }],
    conclude: () => 'state-ok',
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that is not the one it gave out.',
    isStateful: true,
    rounds: () => [{ confirm: questions.confirm }],
    conclude: () => 'state-ok',
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the user, the model and the client at once.',
    isStateful: true,
    rounds: () => [
      {
        user_name: questions.name('What is your name?'),
        greeting: questions.sample('Generate a greeting', 50),
        client_roots: questions.roots,
      },
    ],
    conclude: (replyText) => ['user_name', 'greeting', 'client_roots'].map(replyText).join('; '),
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks for a name, then for a colour.',
    isStateful: true,
    rounds: () => [{ step1: questions.name('Step 1: What is your name?') }, { step2: questions.color }],
    conclude: (replyText) => `Favorite color: ${replyText('step2')}`,
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client has said it can answer.',
    rounds: ({ client }) => [
      {
        ...(client.elicitation === undefined ? {} : { confirm: questions.confirm }),
        ...(client.sampling === undefined ? {} : { capital: questions.capital }),
      },
    ],
    conclude: (replyText) => ['confirm', 'capital'].map(replyText).join('; '),
  },
];

export const askingTools: readonly FixtureTool[] = table.map((asking) => ({
  tool: describeTool(asking.name, asking.description, asking.required),
  async call(call) {
    const { isStateful = false } = asking;
    const open = await ask({ rounds: asking.rounds(call), isStateful }, call.request);
    const replyText = (key: string) => describeReply(inputResponse(call.request.inputResponses, key));
    return open ?? textAnswer(asking.conclude(replyText, call));
  },
}));
