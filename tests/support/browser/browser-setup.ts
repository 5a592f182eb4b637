import { startProduct } from '#tests/support/processes/started-product.ts';

/** Starts the product for the browser tests, which find it in the environment; answers the way to stop it. */
export default async function setup(): Promise<() => Promise<void>> {
  const product = await startProduct({
    env: { RATE_LIMITS: 'off', BOT_CHECK_COST: '1', FORM_LEAST_SECONDS: '0' },
  });
  process.env.UTE_URL = product.url;
  process.env.UTE_DATA_DIR = product.dataDir;
  process.env.UTE_PUBLIC_FORM = product.publicForm;
  process.env.UTE_DEMO_EMAIL = product.demo.email;
  process.env.UTE_DEMO_PASSWORD = product.demo.password;
  return product.stop;
}
