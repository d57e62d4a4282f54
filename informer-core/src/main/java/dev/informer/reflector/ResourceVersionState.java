/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import dev.informer.client.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * The resource version that a reflector has reached, in which history, and whether the
 * server still has it. Belongs to the thread of its reflector.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Resource
 * versions</a>
 */
final class ResourceVersionState {

	/** Empty before the first list. */
	private String lastSync = "";

	private boolean unavailable;

	private long history;

	/**
	 * The version from which a watch goes on.
	 */
	String lastSync() {
		return this.lastSync;
	}

	/**
	 * Whether that is no version but the wish for whatever there is: a watch from there
	 * begins with additions that stand for the state, in no order, and another one that
	 * begins there misses what was deleted in between.
	 */
	boolean isVague() {
		return this.lastSync.isEmpty() || this.lastSync.equals("0");
	}

	/**
	 * How fresh a list has to be at least: at first whatever the server has at hand.
	 */
	String forList() {
		if (this.unavailable) {
			return "";
		}
		return this.lastSync.isEmpty() ? "0" : this.lastSync;
	}

	/**
	 * How fresh a streaming list has to be at least.
	 */
	String forStream() {
		return this.unavailable ? "" : this.lastSync;
	}

	/**
	 * Notes that the server does not have the version that it was asked for, if that is
	 * what it says.
	 * @return whether it is
	 */
	boolean refused(ServerStatus refusal) {
		boolean refused = refusal.isExpired() || refusal.isResourceVersionTooLarge();
		this.unavailable |= refused;
		return refused;
	}

	/**
	 * Which of the server's histories this is, by their number: what belongs to an
	 * earlier one may have the same versions and yet be different.
	 */
	long history() {
		return this.history;
	}

	/**
	 * Begins another history: what was brought so far need not be what now has the same
	 * versions.
	 */
	void doubt() {
		this.history++;
	}

	/**
	 * Notes the version that the server has reached, as an answer says that may be older
	 * than what was reached before.
	 * @return whether its history went back
	 */
	boolean wentBack(String current) {
		boolean wentBack = ResourceVersions.isBefore(current, this.lastSync);
		if (wentBack) {
			this.unavailable = true;
			doubt();
		}
		return wentBack;
	}

	/**
	 * Notes a version that a watch has brought.
	 */
	void reached(@Nullable String resourceVersion) {
		if (resourceVersion != null && !resourceVersion.isEmpty()) {
			this.lastSync = resourceVersion;
		}
	}

	/**
	 * Notes the version of a state.
	 */
	void replaced(String resourceVersion) {
		wentBack(resourceVersion);
		this.lastSync = resourceVersion;
		this.unavailable = false;
	}

}
