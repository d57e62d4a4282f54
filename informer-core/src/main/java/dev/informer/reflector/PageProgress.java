/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.HashSet;
import java.util.Set;

import dev.informer.client.ListPage;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a list by pages. A server that always returns a continue token would
 * otherwise be read for ever. Confined to the thread of its reflector.
 */
final class PageProgress {

	/**
	 * Maximum number of pages in a row without an item. A server may leave items out that
	 * do not match, and so may the client.
	 */
	private static final int MAX_EMPTY = 1000;

	/**
	 * Number of pages from which they must have a hundredth of the items that were
	 * requested, on average: 5 of 500. A server may return fewer than requested, but one
	 * that returns one new item per page keeps the client busy for nothing.
	 */
	private static final int MAX_SMALL = 10_000;

	private static final long MIN_SHARE = 100;

	/** Number of items of a page that a server is expected to return. */
	private static final int MAX_EXPECTED = 500;

	private final int expected;

	private final Set<ObjectState> firstItems = new HashSet<>();

	private @Nullable ObjectState firstItem;

	private @Nullable String token;

	private int empty;

	private int pages;

	/**
	 * Create the progress of a list.
	 * @param limit the number of items per page that is requested
	 */
	PageProgress(int limit) {
		this.expected = Math.min(limit, MAX_EXPECTED);
	}

	boolean isBeforeFirstItem() {
		return this.firstItem == null;
	}

	/**
	 * Note an item of the current page.
	 */
	void item(ObjectState state) {
		if (this.firstItem == null) {
			this.firstItem = state;
		}
	}

	/**
	 * Note that the current page has been read.
	 * @param items the number of items of all pages
	 * @throws MalformedResponseException if another page follows, although the pages
	 * bring nothing new, or next to nothing
	 */
	void pageRead(ListPage page, long items) throws MalformedResponseException {
		ObjectState first = this.firstItem;
		this.firstItem = null;
		this.pages++;
		this.empty = (first != null) ? 0 : this.empty + 1;
		boolean repeated = first != null && !this.firstItems.add(first);
		boolean small = this.pages >= MAX_SMALL && items * MIN_SHARE < (long) this.pages * this.expected;
		String next = page.continueToken();
		if (next != null && (repeated || small || next.equals(this.token) || this.empty >= MAX_EMPTY)) {
			throw new MalformedResponseException(
					"the pages of the list do not end: " + (small ? this.pages + " pages with " + items + " items"
							: this.firstItems.size() + " pages with items, then "
									+ ((this.empty != 0) ? this.empty + " without" : "one of them again")));
		}
		this.token = next;
	}

}
