/** Where GitHub delivers webhooks to, below PUBLIC_URL: what receives them and what registers the App have to agree on it. */
export const webhookPath = '/api/github/webhooks';
