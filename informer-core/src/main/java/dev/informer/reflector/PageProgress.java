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

	private final Set<ObjectState> firstItems = new HashSet<>();

	private @Nullable ObjectState firstItem;

	private @Nullable String token;

	private int empty;

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
	 * @throws MalformedResponseException if another page follows, although the pages
	 * bring nothing new
	 */
	void pageRead(ListPage page) throws MalformedResponseException {
		ObjectState first = this.firstItem;
		this.firstItem = null;
		this.empty = (first != null) ? 0 : this.empty + 1;
		boolean repeated = first != null && !this.firstItems.add(first);
		String next = page.continueToken();
		if (next != null && (repeated || next.equals(this.token) || this.empty >= MAX_EMPTY)) {
			throw new MalformedResponseException("the pages of the list do not end: " + this.firstItems.size()
					+ " pages with items, then " + ((this.empty != 0) ? this.empty + " without" : "one of them again"));
		}
		this.token = next;
	}

}
