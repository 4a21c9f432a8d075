#include "io/budget.h"

#include <stdalign.h>
#include <stdlib.h>

/* Stands in front of every block: its size, padded so that the block keeps malloc's alignment. */
union head {
    uint64_t size;
    max_align_t align;
};

void *gf_budget_alloc(struct gf_budget *budget, size_t size)
{
    if (size > SIZE_MAX - sizeof(union head) || size > budget->limit - budget->used) {
        budget->refused = budget->refused != 0 ? budget->refused : (size != 0 ? size : 1);
        return NULL;
    }
    union head *head = malloc(sizeof *head + size);
    if (head == NULL) {
        budget->exhausted = 1;
        return NULL;
    }
    head->size = size;
    budget->used += size;
    return head + 1;
}

void gf_budget_free(struct gf_budget *budget, void *memory)
{
    if (memory != NULL) {
        union head *head = (union head *)memory - 1;
        budget->used -= head->size;
        free(head);
    }
}

void *gf_budget_zalloc(void *budget, unsigned items, unsigned size)
{
    return gf_budget_alloc(budget, (size_t)items * size);
}

void gf_budget_zfree(void *budget, void *memory)
{
    gf_budget_free(budget, memory);
}
