/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.HashSet;
import java.util.Set;

/**
 * What was there when a handler began to listen. A handler that is added before the
 * informer has synced gets the first state of the server, which is known here only as
 * closely as the store can be looked at: what was there by the time it was complete.
 */
final class InitialList {

	private final Set<String> uids = new HashSet<>();

	private final ModelStore store;

	private final boolean exact;

	private boolean complete;

	InitialList(ModelStore store) {
		this.store = store;
		this.exact = store.isComplete();
		look();
	}

	/**
	 * Looks at the store again.
	 */
	void look() {
		if (!this.complete) {
			this.store.contents().values().forEach((pod) -> this.uids.add(ModelPods.uid(pod)));
			this.complete = this.store.isComplete();
		}
	}

	boolean mayHave(String uid) {
		return this.uids.contains(uid);
	}

	boolean surelyHas(String uid) {
		return this.exact && this.uids.contains(uid) && !this.store.rolledBack();
	}

}
