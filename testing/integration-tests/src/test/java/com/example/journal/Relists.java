/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;

/**
 * Listener that counts relists by reason.
 */
class Relists implements InformerListener {

	private final List<String> expired = new CopyOnWriteArrayList<>();

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.Relisting relisting) {
			if (relisting.reason() == InformerEvent.RelistReason.EXPIRED) {
				this.expired.add(relisting.informer().name());
			}
		}
	}

	/**
	 * Return the number of relists of an informer because of an expired resource version.
	 * @param informer the name of the informer
	 * @return the number of relists
	 */
	int expired(String informer) {
		return Collections.frequency(this.expired, informer);
	}

}
