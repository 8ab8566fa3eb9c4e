import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/', '.cache/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
        { selector: 'ExportAllDeclaration', message: 'Import from the file that declares it.' },
        {
          selector: 'ExportNamedDeclaration[source]',
          message: 'Import from the file that declares it.',
        },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['cli/**/*.ts', 'scripts/**/*.ts', 'test/conformance/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['deploy/**/*.mjs'],
    languageOptions: {
      globals: { Buffer: false, console: false, fetch: false, process: false },
    },
  },
  {
    // chai's property assertions (`expect(x).to.be.true`) are expressions.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
)
