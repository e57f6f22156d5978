// Chromium loses a notification that is being shown while another context lists them: one at a time.

export async function withNotifications<T>(use: () => Promise<T>): Promise<T> {
  return navigator.locks.request('coterie-notifications', use);
}
