/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.HashSet;
import java.util.Set;

/**
 * Objects that existed when a handler was added. A handler that is added before the
 * informer has synced receives the first state of the server. The test knows that state
 * only from the store: the objects that it had when it was complete.
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
	 * Add the objects that the store has now, until it is complete.
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
		return this.exact && this.uids.contains(uid) && !this.store.rolledBack() && !this.store.isSelected();
	}

}
