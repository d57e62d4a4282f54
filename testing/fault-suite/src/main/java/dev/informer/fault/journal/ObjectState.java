/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

/**
 * Identity and version of an object.
 *
 * @param uid the UID
 * @param version the resource version
 */
public record ObjectState(String uid, String version) {

	@Override
	public String toString() {
		return this.uid + "@" + this.version;
	}

	/**
	 * Return whether this state has a higher version than another one. Versions of the
	 * API server are decimal numbers.
	 */
	public boolean isNewerThan(ObjectState other) {
		return Long.parseLong(this.version) > Long.parseLong(other.version);
	}

	static ObjectState parse(String text) {
		int at = text.indexOf('@');
		return new ObjectState(text.substring(0, at), text.substring(at + 1));
	}

}
