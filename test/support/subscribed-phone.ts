// A person's phone that gets its pushes from a push service of the test, and a question that is pushed to it.
import { call } from './http-call.js';
import type { PushService } from './push-service.js';
import { tempFolder } from './temp-folder.js';
import { TestDevice } from './test-device.js';

export function hubOptions({ host }: PushService) {
  return { data: tempFolder(), args: ['--push-hosts', host] };
}

export async function subscribedPhone(service: PushService, url: string): Promise<TestDevice> {
  const phone = await TestDevice.make();
  await phone.pairOnPage(url);
  const { hub } = (await (await fetch(`${url}/app/hub`)).json()) as { hub: { vapid: string } };
  const { endpoint, keys } = service.subscribe(hub.vapid);
  await phone.call(url, 'set_channel', { kind: 'web-push', endpoint, keys });
  await call(url, 'register_agent', { agentId: 'builder' }, { agent: 'builder' });
  return phone;
}

export async function askForPush(url: string): Promise<string> {
  const { questionId } = await call(url, 'ask_question', { question: 'Deploy?' }, { agent: 'builder' });
  return questionId as string;
}
