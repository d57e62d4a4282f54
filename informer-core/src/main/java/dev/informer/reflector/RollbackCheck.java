/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;

import dev.informer.InformerEvent.WatchEnd;
import dev.informer.client.Cancellation;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.RollbackCheck.Outcome.Cancelled;
import dev.informer.reflector.RollbackCheck.Outcome.Failed;
import dev.informer.reflector.RollbackCheck.Outcome.RolledBack;
import dev.informer.reflector.RollbackCheck.Outcome.Unchanged;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Check whether the server's resource versions were rolled back. After an outage the
 * server may be another one, or etcd may have been restored from a backup. The API server
 * accepts a watch from a version that it has not reached yet, and sends nothing until it
 * has. Confined to the thread of its reflector.
 *
 * @param <T> the type of the objects
 */
final class RollbackCheck<T extends KubernetesObject> {

	private final ListerWatcher<T> source;

	private final ResourceVersionState versions;

	private final ReflectorStatus status;

	RollbackCheck(ListerWatcher<T> source, ResourceVersionState versions, ReflectorStatus status) {
		this.source = source;
		this.versions = versions;
		this.status = status;
	}

	/**
	 * Request the current version of the server and compare it with the last one. One
	 * item without a resourceVersion is the cheapest request that reads from etcd.
	 */
	Outcome run(Cancellation cancellation) {
		try {
			String current = this.source.list(new ListRequest("", 1, null), new IgnoredItems<>(), cancellation)
				.resourceVersion();
			return this.versions.detectRollback(current) ? new RolledBack() : new Unchanged();
		}
		catch (IOException | RuntimeException | Error ex) {
			if (cancellation.isCancelled()) {
				return new Cancelled();
			}
			this.status.watchEnded((ex instanceof ServerStatusException) ? WatchEnd.REFUSED : WatchEnd.UNREACHABLE);
			return new Failed(ex);
		}
	}

	/**
	 * Outcome of the check.
	 */
	sealed interface Outcome extends AttemptOutcome {

		/** The server has reached the last version. */
		record Unchanged() implements Outcome {
		}

		/** The server has not reached the last version. */
		record RolledBack() implements Outcome {
		}

		/** The request failed. */
		record Failed(Throwable cause) implements Outcome {
		}

		/** A stop or a requested relist ended the check. */
		record Cancelled() implements Outcome {
		}

	}

	private static final class IgnoredItems<T> implements ListSink<T> {

		@Override
		public void accept(T object) {
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
		}

	}

}
