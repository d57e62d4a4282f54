/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.NotSyncedException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Failure analyzer for caches that are read before their informer has synced, for example
 * in the constructor of a bean.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class NotSyncedFailureAnalyzer extends AbstractFailureAnalyzer<NotSyncedException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NotSyncedException cause) {
		String key = "informer.resources." + cause.informer();
		BeanCreationException creation = creation(rootFailure);
		if (creation == null) {
			return new FailureAnalysis(
					"The cache of the informer '" + cause.informer() + "' was read before the informer had synced.",
					"Startup waits for required informers only, and not at all with informer.auto-startup=false: "
							+ "remove " + key + ".required=false, or read the cache when "
							+ "SharedIndexInformer.hasSynced() returns true. To read an incomplete cache, set " + key
							+ ".allow-unsynced-reads=true.",
					cause);
		}
		return new FailureAnalysis(
				"The bean '" + creation.getBeanName() + "' reads the cache of the informer '" + cause.informer()
						+ "' while it is created, but informers start after all beans are created.",
				"Move the code that reads the cache from the constructor or initialization method of the bean '"
						+ creation.getBeanName() + "' to a method with "
						+ "@EventListener(ApplicationReadyEvent.class). To read an incomplete cache, set " + key
						+ ".allow-unsynced-reads=true.",
				cause);
	}

	private static @Nullable BeanCreationException creation(Throwable failure) {
		BeanCreationException innermost = null;
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof BeanCreationException creation && creation.getBeanName() != null) {
				innermost = creation;
			}
		}
		return innermost;
	}

}
