export const amx = `
static int bf16_available(void) { return 0; }
struct product;
static void bf16_block(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) { (void)g; (void)a; (void)b; (void)c; (void)bias; }
`;
