import { readRegistration } from '#site/lib/registration-id.ts';
import { botCheck } from './registration-bot-check.ts';

// Before anything else of the page is there: the work takes a while, and the wizard does not open without it.
if (!readRegistration()) void botCheck.ticket();
