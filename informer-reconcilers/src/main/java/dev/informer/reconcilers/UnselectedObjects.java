/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.InformerOptions;
import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Primary objects that have left the cache, and may exist with the finalizer of the
 * reconciler, because the informer does not select them any more. Nobody else would
 * remove it. Thread-safe.
 */
final class UnselectedObjects<T extends KubernetesObject> {

	/** Maximum number for which the gate is closed: another process looks at them. */
	private static final int MAX_GATED = 1_000;

	private final ReconcilerOptions<T> options;

	private final SharedIndexInformer<T> informer;

	private final Finalizer finalizer;

	/** A tenant can let many objects leave again and again. */
	private final CallLog reports;

	private final Map<String, Left<T>> left = new ConcurrentHashMap<>();

	UnselectedObjects(ReconcilerOptions<T> options, SharedIndexInformer<T> informer, Finalizer finalizer,
			CallLog reports) {
		this.reports = reports;
		this.options = options;
		this.informer = informer;
		this.finalizer = finalizer;
	}

	/**
	 * Note that an object has left the cache.
	 * @return whether to look it up by {@link #find}
	 */
	boolean left(String key, T last, ResourceEvent.Deleted<?> event) {
		if (this.options.finalizer() == null || isOfAnother(last)) {
			return false;
		}
		// the process that removes the finalizer knows that the object was deleted
		boolean known = !isOpen(last) && (Finalizer.isDeleting(last) || this.left.size() >= MAX_GATED);
		if (!known) {
			this.left.put(key, new Left<>(last, event.finalStateUnknown(), false));
		}
		return !known;
	}

	/**
	 * Return whether a watched set leaves an object to another process.
	 */
	private boolean isOfAnother(T last) {
		return Selection.excludes(this.informer.options(), ObjectState.of(last));
	}

	private boolean isOpen(T last) {
		InvocationGate gate = this.options.gate();
		try {
			return gate.isOpen() && gate.access(Dependents.target(last)) == Access.OPEN;
		}
		catch (Throwable ex) {
			// it is asked and reported again
			return true;
		}
	}

	/**
	 * Forget an object, which is in the cache again, or done.
	 */
	void forget(String key) {
		this.left.remove(key);
	}

	/**
	 * Return the last state of an object; {@code null} if there is nothing to look up.
	 */
	@Nullable T last(String key) {
		Left<T> known = this.left.get(key);
		return (known != null) ? known.state : null;
	}

	/**
	 * Return an object as the server has it, if it has the finalizer and the informer
	 * does not select it; {@code null}, also from now on, if it has not. Blocks.
	 */
	@Nullable T find(String key) throws IOException {
		Left<T> known = this.left.get(key);
		if (known == null) {
			return null;
		}
		InformerOptions selection = this.informer.options();
		boolean possible = this.finalizer.mayRemain(known.state, known.unknown) && !isOfAnother(known.state);
		Class<T> type = this.informer.resourceType().type();
		T current = possible ? this.finalizer.find(known.state, type, Map.of()) : null;
		// in this order: an object that is selected later brings an event
		if (current == null || isSelected(current, selection, type)) {
			this.left.remove(key, known);
			return null;
		}
		if (!known.reported && this.left.replace(key, known, new Left<>(known.state, known.unknown, true))) {
			this.reports.report(Level.WARN, "left the selector",
					"Reconciler '" + this.options.name() + "' found " + UntrustedText.of(key) + " with its finalizer '"
							+ this.options.finalizer() + "', which informer '" + this.informer.name()
							+ "' does not select any more; "
							+ (this.options.cleanupUnselected() ? "cleaning it up" : "removing the finalizer"),
					null);
		}
		return current;
	}

	private boolean isSelected(T current, InformerOptions selection, Class<T> type) throws IOException {
		String namespace = ObjectState.of(current).namespace();
		Set<String> namespaces = this.informer.statesByNamespace().keySet();
		if (namespace != null && !namespaces.contains("") && !namespaces.contains(namespace)) {
			return false;
		}
		Map<String, String> selectors = new HashMap<>();
		if (selection.labelSelector() != null) {
			selectors.put("labelSelector", selection.labelSelector());
		}
		if (selection.fieldSelector() != null) {
			selectors.put("fieldSelector", selection.fieldSelector());
		}
		return selectors.isEmpty() || this.finalizer.find(current, type, selectors) != null;
	}

	/**
	 * Object that has left the cache.
	 *
	 * @param unknown whether there may be later states than the last known one
	 */
	private record Left<T>(T state, boolean unknown, boolean reported) {
	}

}
