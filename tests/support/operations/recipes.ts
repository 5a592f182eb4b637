import { accountRecipes } from './account-recipes.ts';
import { businessRecipes } from './business-recipes.ts';
import { jobRecipes } from './job-recipes.ts';
import type { Recipe } from './recipe.ts';
import { recordRecipes, registrationRecipes } from './record-recipes.ts';
import type { Operation } from './route-inventory.ts';

/** How each operation of the inventory is called. One without a recipe does not compile, and fails the tests. */
export const recipes: Readonly<Record<Operation, Recipe>> = {
  ...accountRecipes,
  ...businessRecipes,
  ...jobRecipes,
  ...recordRecipes,
  ...registrationRecipes,
};
