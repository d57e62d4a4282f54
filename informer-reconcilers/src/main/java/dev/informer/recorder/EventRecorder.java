/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Duration;

import dev.informer.client.TimeSource;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Recorder of Events about objects, as {@code kubectl describe} and
 * {@code kubectl events} show them. It needs the verbs create and patch on
 * {@code events.events.k8s.io}, in the namespaces of the objects, and in {@code default}
 * for cluster-scoped ones.
 * <p>
 * Occurrences with the same object, type, reason and action are one Event with a count.
 * It has the note of the first of them; six minutes after the last one, the next begins
 * another Event. The first is written at once. While others follow, the count is written
 * after a second and then at intervals that double up to 30 minutes, and six minutes
 * after the last one.
 * <p>
 * Events are recorded without waiting, and written by a thread of the recorder. A failed
 * write is retried up to 11 times, with delays of up to 30 s, and reported in the log; it
 * never fails the caller. Unwritten occurrences of up to 5,000 Events are kept; others
 * are {@linkplain #dropped() dropped}. Namespaces take turns and share this room: a
 * namespace that has less than its share takes it from the largest one. Notes are not
 * logged.
 * <p>
 * Thread-safe.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/">Event</a>
 */
public interface EventRecorder extends AutoCloseable {

	/**
	 * Create a recorder. Its thread is started by the first event.
	 * @param writer the writer of the Events
	 * @param reportingController the name of the controller, such as that of the
	 * application: up to 63 letters, digits, {@code -}, {@code _} and {@code .},
	 * optionally after a domain and {@code /}. The instance is this name with that of the
	 * host
	 * @return the recorder, which is to be closed before the connection of the writer
	 * @throws IllegalArgumentException if the name is invalid
	 */
	static EventRecorder of(ObjectWriter writer, String reportingController) {
		return new DefaultEventRecorder(writer, reportingController, DefaultEventRecorder.hostName(),
				TimeSource.SYSTEM);
	}

	/**
	 * Record an event of type {@code Normal}. Texts that are longer than the API server
	 * accepts are shortened: the reason and the action to 128 bytes, the note to 1 KiB.
	 * @param regarding the object that the event is about
	 * @param reason why something was done, in one word such as {@code Scaled}
	 * @param action what was done, in one word such as {@code Scale}
	 * @param note the text for people; may be empty
	 * @throws IllegalArgumentException if the object has no name or does not name its
	 * resource, or the reason or the action is empty
	 */
	void normal(KubernetesObject regarding, String reason, String action, String note);

	/**
	 * Record an event of type {@code Warning}.
	 * @param regarding the object that the event is about
	 * @param reason why something was done, or failed
	 * @param action what was done, or failed
	 * @param note the text for people; may be empty
	 * @throws IllegalArgumentException if the object has no name or does not name its
	 * resource, or the reason or the action is empty
	 * @see #normal
	 */
	void warning(KubernetesObject regarding, String reason, String action, String note);

	/**
	 * Return the number of recorded events that are not written yet. Those that repeat
	 * others are among them until the next write of the count.
	 * @return the number of events
	 */
	long pending();

	/**
	 * Return the number of recorded events that were given up: because too many were
	 * pending, because the server refused them or their retries are exhausted, or because
	 * this recorder was closed.
	 * @return the number of events
	 */
	long dropped();

	/**
	 * Close this recorder, with 5 s to write what is pending.
	 */
	@Override
	void close();

	/**
	 * Write what is pending, without further retries, and end the thread. Events that are
	 * recorded later are dropped.
	 * @param drain the maximum time to write, after which the rest is dropped. An
	 * interrupt of the calling thread ends it as well
	 */
	void close(Duration drain);

}
