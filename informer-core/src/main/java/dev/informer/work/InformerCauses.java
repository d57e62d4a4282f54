/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.time.Instant;
import java.util.Objects;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.NamespaceNotWatchedException;
import dev.informer.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

/**
 * Causes in an informer for which what follows it is not invoked.
 */
public final class InformerCauses {

	private InformerCauses() {
	}

	/**
	 * Return the cause in a state of an informer that is not closed; {@code null} for
	 * none.
	 */
	public static @Nullable Cause of(SharedIndexInformer<?> informer, InformerState state) {
		String failure = (state.failure() != null) ? state.failure().message() : "phase " + state.phase();
		Instant since = Objects.requireNonNullElse(state.failingSince(), state.since()).time();
		return switch (state.phase()) {
			case NOT_STARTED -> of(informer, Reason.INFORMER_NOT_STARTED,
					"was not started. Start it, its factory or the application", state.since().time());
			case STOPPED -> of(informer, Reason.INFORMER_STOPPED,
					"was stopped. Pending events are delivered after the next start", state.since().time());
			case FAILED -> of(informer, Reason.INFORMER_FAILED, "has failed: " + failure, state.since().time());
			default -> {
				if (!informer.hasSynced()) {
					yield of(informer, Reason.INFORMER_NOT_SYNCED, "has never had a complete cache: " + failure, since);
				}
				if (isUnreadable(state)) {
					yield of(informer, Reason.UNDECODABLE, "has no readable object: " + failure, since);
				}
				yield (state.failure() != null)
						? of(informer, Reason.INFORMER_STALE, "does not follow the server: " + failure, since) : null;
			}
		};
	}

	private static boolean isUnreadable(InformerState state) {
		return state.failure() != null && state.failure().kind() == InformerFailure.Kind.UNDECODABLE_OBJECT;
	}

	/**
	 * Return why an informer does not have a namespace, as the predicate of a sentence.
	 */
	public static String outside(SharedIndexInformer<?> informer, @Nullable String namespace) {
		InformerOptions options = informer.options();
		if (namespace != null && informer.omittedNamespaces().contains(namespace)) {
			return "does not watch the namespace " + namespace
					+ ", although it matches its namespace-selector: max-selected-namespaces is "
					+ options.maxSelectedNamespaces();
		}
		String selector = options.namespaceSelector();
		return "watches only the namespaces " + ((selector != null) ? "that match " + selector : options.namespaces());
	}

	/**
	 * Return the exception of a read in a namespace that an informer does not watch. Its
	 * class is loaded by the first such read only.
	 */
	public static RuntimeException notWatched(SharedIndexInformer<?> informer, String namespace) {
		return new NamespaceNotWatchedException(informer.name(), namespace, outside(informer, namespace));
	}

	/**
	 * Return a cause in an informer.
	 * @param predicate the predicate of the sentence about the informer
	 */
	public static Cause of(SharedIndexInformer<?> informer, Reason reason, String predicate, @Nullable Instant since) {
		return new Cause(reason, "Informer '" + informer.name() + "' " + predicate, since);
	}

}
