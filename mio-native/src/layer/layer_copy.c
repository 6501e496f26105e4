/*
 * A copy that can return after a fault. It has no stack frame and changes no register that a call has to preserve. So the handler of the
 * fault only has to let the thread go on at the end of the copy, and a copy without a fault pays nothing for this. It copies as
 * the C library does, up to 1 MB as fast: few bytes through registers, many bytes with the machine's own copy instruction.
 */
#include "layer_copy.h"

#include <stdint.h>
#include <ucontext.h>

#if MIO_LAYER_COPY_LANDS

extern const char mio_layer_copy_end[] __attribute__((visibility("hidden")));
extern const char mio_layer_copy_landing[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)

#include <cpuid.h>

/* Copies of this many bytes and more use rep movsb. 256 is the least value that is tested (layer_copy_test.c). */
#define STRING_BYTES 8192

/* Read by the assembler code below. Until begin has run, the values are right for every machine. */
int mio_layer_copy_has_avx __attribute__((visibility("hidden")));
int64_t mio_layer_copy_string_from __attribute__((visibility("hidden"))) = INT64_MAX;

/* "Enhanced rep movsb": bit 9 of ebx of leaf 7. */
__attribute__((constructor)) static void begin(void)
{
	unsigned int a, b, c, d;

	__builtin_cpu_init();
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 9)))
		mio_layer_copy_string_from = STRING_BYTES;
	mio_layer_copy_has_avx = __builtin_cpu_supports("avx2") != 0;
}

/* rdi: to, rsi: from, rdx: length. */
__asm__(".text\n"
	".p2align 6\n"
	".globl mio_layer_copy_bytes, mio_layer_copy_landing, mio_layer_copy_end\n"
	".hidden mio_layer_copy_bytes, mio_layer_copy_landing, mio_layer_copy_end\n"
	".type mio_layer_copy_bytes, @function\n"
	"mio_layer_copy_bytes:\n"
	".cfi_startproc\n"
#if defined(__CET__) && (__CET__ & 1)
	"	endbr64\n"
#endif
	"	xorl %eax, %eax\n"
	"	cmpq $16, %rdx\n"
	"	jb 10f\n"
	"	cmpq $32, %rdx\n"
	"	ja 1f\n"
	"	movups (%rsi), %xmm0\n"
	"	movups -16(%rsi,%rdx), %xmm1\n"
	"	movups %xmm0, (%rdi)\n"
	"	movups %xmm1, -16(%rdi,%rdx)\n"
	"	ret\n"
	"1:	cmpq $64, %rdx\n"
	"	ja 2f\n"
	"	movups (%rsi), %xmm0\n"
	"	movups 16(%rsi), %xmm1\n"
	"	movups -32(%rsi,%rdx), %xmm2\n"
	"	movups -16(%rsi,%rdx), %xmm3\n"
	"	movups %xmm0, (%rdi)\n"
	"	movups %xmm1, 16(%rdi)\n"
	"	movups %xmm2, -32(%rdi,%rdx)\n"
	"	movups %xmm3, -16(%rdi,%rdx)\n"
	"	ret\n"
	"2:	cmpq $128, %rdx\n"
	"	ja 3f\n"
	"	movups (%rsi), %xmm0\n"
	"	movups 16(%rsi), %xmm1\n"
	"	movups 32(%rsi), %xmm2\n"
	"	movups 48(%rsi), %xmm3\n"
	"	movups -64(%rsi,%rdx), %xmm4\n"
	"	movups -48(%rsi,%rdx), %xmm5\n"
	"	movups -32(%rsi,%rdx), %xmm6\n"
	"	movups -16(%rsi,%rdx), %xmm7\n"
	"	movups %xmm0, (%rdi)\n"
	"	movups %xmm1, 16(%rdi)\n"
	"	movups %xmm2, 32(%rdi)\n"
	"	movups %xmm3, 48(%rdi)\n"
	"	movups %xmm4, -64(%rdi,%rdx)\n"
	"	movups %xmm5, -48(%rdi,%rdx)\n"
	"	movups %xmm6, -32(%rdi,%rdx)\n"
	"	movups %xmm7, -16(%rdi,%rdx)\n"
	"	ret\n"
	/* The first bytes; then, with an aligned destination, up to the last bytes; then the last bytes. */
	"3:	cmpq mio_layer_copy_string_from(%rip), %rdx\n"
	"	jae 9f\n"
	"	cmpl $0, mio_layer_copy_has_avx(%rip)\n"
	"	jne 5f\n"
	"	movups (%rsi), %xmm0\n"
	"	movups %xmm0, (%rdi)\n"
	"	leaq -64(%rdi,%rdx), %r8\n"
	"	subq %rdi, %rsi\n"
	"	addq $16, %rdi\n"
	"	andq $-16, %rdi\n"
	"4:	movups (%rdi,%rsi), %xmm0\n"
	"	movups 16(%rdi,%rsi), %xmm1\n"
	"	movups 32(%rdi,%rsi), %xmm2\n"
	"	movups 48(%rdi,%rsi), %xmm3\n"
	"	movaps %xmm0, (%rdi)\n"
	"	movaps %xmm1, 16(%rdi)\n"
	"	movaps %xmm2, 32(%rdi)\n"
	"	movaps %xmm3, 48(%rdi)\n"
	"	addq $64, %rdi\n"
	"	cmpq %r8, %rdi\n"
	"	jb 4b\n"
	"	movups (%r8,%rsi), %xmm0\n"
	"	movups 16(%r8,%rsi), %xmm1\n"
	"	movups 32(%r8,%rsi), %xmm2\n"
	"	movups 48(%r8,%rsi), %xmm3\n"
	"	movups %xmm0, (%r8)\n"
	"	movups %xmm1, 16(%r8)\n"
	"	movups %xmm2, 32(%r8)\n"
	"	movups %xmm3, 48(%r8)\n"
	"	ret\n"
	"5:	cmpq $256, %rdx\n"
	"	ja 6f\n"
	"	vmovdqu (%rsi), %ymm0\n"
	"	vmovdqu 32(%rsi), %ymm1\n"
	"	vmovdqu 64(%rsi), %ymm2\n"
	"	vmovdqu 96(%rsi), %ymm3\n"
	"	vmovdqu -128(%rsi,%rdx), %ymm4\n"
	"	vmovdqu -96(%rsi,%rdx), %ymm5\n"
	"	vmovdqu -64(%rsi,%rdx), %ymm6\n"
	"	vmovdqu -32(%rsi,%rdx), %ymm7\n"
	"	vmovdqu %ymm0, (%rdi)\n"
	"	vmovdqu %ymm1, 32(%rdi)\n"
	"	vmovdqu %ymm2, 64(%rdi)\n"
	"	vmovdqu %ymm3, 96(%rdi)\n"
	"	vmovdqu %ymm4, -128(%rdi,%rdx)\n"
	"	vmovdqu %ymm5, -96(%rdi,%rdx)\n"
	"	vmovdqu %ymm6, -64(%rdi,%rdx)\n"
	"	vmovdqu %ymm7, -32(%rdi,%rdx)\n"
	"	vzeroupper\n"
	"	ret\n"
	"6:	vmovdqu (%rsi), %ymm0\n"
	"	vmovdqu %ymm0, (%rdi)\n"
	"	leaq -128(%rdi,%rdx), %r8\n"
	"	subq %rdi, %rsi\n"
	"	addq $32, %rdi\n"
	"	andq $-32, %rdi\n"
	"7:	vmovdqu (%rdi,%rsi), %ymm0\n"
	"	vmovdqu 32(%rdi,%rsi), %ymm1\n"
	"	vmovdqu 64(%rdi,%rsi), %ymm2\n"
	"	vmovdqu 96(%rdi,%rsi), %ymm3\n"
	"	vmovdqa %ymm0, (%rdi)\n"
	"	vmovdqa %ymm1, 32(%rdi)\n"
	"	vmovdqa %ymm2, 64(%rdi)\n"
	"	vmovdqa %ymm3, 96(%rdi)\n"
	"	subq $-128, %rdi\n"
	"	cmpq %r8, %rdi\n"
	"	jb 7b\n"
	"	vmovdqu (%r8,%rsi), %ymm0\n"
	"	vmovdqu 32(%r8,%rsi), %ymm1\n"
	"	vmovdqu 64(%r8,%rsi), %ymm2\n"
	"	vmovdqu 96(%r8,%rsi), %ymm3\n"
	"	vmovdqu %ymm0, (%r8)\n"
	"	vmovdqu %ymm1, 32(%r8)\n"
	"	vmovdqu %ymm2, 64(%r8)\n"
	"	vmovdqu %ymm3, 96(%r8)\n"
	"	vzeroupper\n"
	"	ret\n"
	"10:	cmpq $8, %rdx\n"
	"	jb 11f\n"
	"	movq (%rsi), %rcx\n"
	"	movq -8(%rsi,%rdx), %r8\n"
	"	movq %rcx, (%rdi)\n"
	"	movq %r8, -8(%rdi,%rdx)\n"
	"	ret\n"
	"11:	cmpq $4, %rdx\n"
	"	jb 9f\n"
	"	movl (%rsi), %ecx\n"
	"	movl -4(%rsi,%rdx), %r8d\n"
	"	movl %ecx, (%rdi)\n"
	"	movl %r8d, -4(%rdi,%rdx)\n"
	"	ret\n"
	"9:	movq %rdx, %rcx\n"
	"	rep movsb\n"
	"	ret\n"
	"mio_layer_copy_end:\n"
	"mio_layer_copy_landing:\n"
	"	cmpl $0, mio_layer_copy_has_avx(%rip)\n"
	"	je 12f\n"
	"	vzeroupper\n"
	"12:	movl $1, %eax\n"
	"	ret\n"
	".cfi_endproc\n"
	".size mio_layer_copy_bytes, . - mio_layer_copy_bytes\n");

static greg_t *place_in(ucontext_t *context)
{
	return &context->uc_mcontext.gregs[REG_RIP];
}

#else

/* x0: to, x1: from, x2: length. */
__asm__(".text\n"
	".p2align 6\n"
	".globl mio_layer_copy_bytes, mio_layer_copy_landing, mio_layer_copy_end\n"
	".hidden mio_layer_copy_bytes, mio_layer_copy_landing, mio_layer_copy_end\n"
	".type mio_layer_copy_bytes, %function\n"
	"mio_layer_copy_bytes:\n"
	".cfi_startproc\n"
	"	hint #34\n"	/* bti c */
	"	add x3, x1, x2\n"
	"	add x4, x0, x2\n"
	"	cmp x2, #16\n"
	"	b.lo 5f\n"
	"	cmp x2, #32\n"
	"	b.hi 1f\n"
	"	ldr q0, [x1]\n"
	"	ldur q1, [x3, #-16]\n"
	"	str q0, [x0]\n"
	"	stur q1, [x4, #-16]\n"
	"	b 9f\n"
	"1:	cmp x2, #64\n"
	"	b.hi 2f\n"
	"	ldp q0, q1, [x1]\n"
	"	ldp q2, q3, [x3, #-32]\n"
	"	stp q0, q1, [x0]\n"
	"	stp q2, q3, [x4, #-32]\n"
	"	b 9f\n"
	"2:	cmp x2, #128\n"
	"	b.hi 3f\n"
	"	ldp q0, q1, [x1]\n"
	"	ldp q2, q3, [x1, #32]\n"
	"	ldp q4, q5, [x3, #-64]\n"
	"	ldp q6, q7, [x3, #-32]\n"
	"	stp q0, q1, [x0]\n"
	"	stp q2, q3, [x0, #32]\n"
	"	stp q4, q5, [x4, #-64]\n"
	"	stp q6, q7, [x4, #-32]\n"
	"	b 9f\n"
	/* The first bytes; then, with an aligned destination, up to the last bytes; then the last bytes. */
	"3:	ldr q0, [x1]\n"
	"	str q0, [x0]\n"
	"	add x5, x0, #16\n"
	"	and x5, x5, #-16\n"
	"	sub x1, x1, x0\n"
	"	add x1, x1, x5\n"
	"	sub x6, x4, #64\n"
	"4:	ldp q0, q1, [x1]\n"
	"	ldp q2, q3, [x1, #32]\n"
	"	stp q0, q1, [x5]\n"
	"	stp q2, q3, [x5, #32]\n"
	"	add x1, x1, #64\n"
	"	add x5, x5, #64\n"
	"	cmp x5, x6\n"
	"	b.lo 4b\n"
	"	ldp q0, q1, [x3, #-64]\n"
	"	ldp q2, q3, [x3, #-32]\n"
	"	stp q0, q1, [x4, #-64]\n"
	"	stp q2, q3, [x4, #-32]\n"
	"	b 9f\n"
	"5:	tbz x2, #3, 6f\n"
	"	ldr x5, [x1]\n"
	"	ldur x6, [x3, #-8]\n"
	"	str x5, [x0]\n"
	"	stur x6, [x4, #-8]\n"
	"	b 9f\n"
	"6:	tbz x2, #2, 7f\n"
	"	ldr w5, [x1]\n"
	"	ldur w6, [x3, #-4]\n"
	"	str w5, [x0]\n"
	"	stur w6, [x4, #-4]\n"
	"	b 9f\n"
	"7:	cmp x1, x3\n"
	"	b.eq 9f\n"
	"	ldrb w5, [x1], #1\n"
	"	strb w5, [x0], #1\n"
	"	b 7b\n"
	"9:	mov w0, #0\n"
	"	ret\n"
	"mio_layer_copy_end:\n"
	"mio_layer_copy_landing:\n"
	"	mov w0, #1\n"
	"	ret\n"
	".cfi_endproc\n"
	".size mio_layer_copy_bytes, . - mio_layer_copy_bytes\n");

static unsigned long long *place_in(ucontext_t *context)
{
	return &context->uc_mcontext.pc;
}

#endif

/* 1 if the caller checks how the copy ended. Of a copy into a page mio_pf_copy_given_up tells it; any other must be a mio_layer_try_copy. */
static int is_looked_at(void)
{
	return mio_open_call.copies_into ||
	       atomic_load_explicit(&mio_open_call.copies, memory_order_relaxed) == MIO_LAYER_COPY_TRIES;
}

int mio_layer_copy_may_land(void *context)
{
	uintptr_t place = (uintptr_t)*place_in(context);

	return is_looked_at() && place >= (uintptr_t)mio_layer_copy_bytes && place < (uintptr_t)mio_layer_copy_end;
}

void mio_layer_copy_land(void *context)
{
	*place_in(context) = (__typeof__(*place_in(context)))(uintptr_t)mio_layer_copy_landing;
	mio_open_call.faulted = 1;
}

#else

int mio_layer_copy_may_land(void *context)
{
	(void)context;
	return 0;
}

void mio_layer_copy_land(void *context)
{
	(void)context;
}

#endif
